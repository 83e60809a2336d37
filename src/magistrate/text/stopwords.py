"""Function words of twelve languages, and the few that tell other languages apart.

They serve twice: they carry no content of their own, so they are left out of terms; and they are so frequent that a
sentence or two of them tell the language. Words that deny ("not", "never", "ohne") are in `NEGATIONS` too, whether or
not they carry content: a text that gains or loses one says something else.

The words are folded as `fold` folds (no case, no Arabic vowels, one form of alef), and are cut as tokens are cut: at
apostrophes ("don't" is "don", "t"; "l'eau" is "l", "eau").
"""

from __future__ import annotations

from magistrate.text.fold import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


STOP_WORDS: dict[str, frozenset[str]] = {
    "en": _words("""
        a about above after again all also although am an and another any are as at be became because become been before
        being below between both but by can could d did do does doing done down during each either etc even ever every
        few for from further get gets had has have having he her here hers herself him himself his how however i if in
        into is it its itself just ll m many may me might more most much must my myself nd of off on once one only onto
        or other others our ours ourselves out over own per quite rather rd re s same shall she should since so some
        still such t than that the their theirs them themselves then there these they this those though through thus to
        too toward towards under until up upon us ve very via was we well were what when where whether which while who
        whom whose why will with within would yet you your yours yourself th st"""),
    "es": _words("""
        a al además algo algunas algunos algún alguna ante antes aquel aquella aquellos así aun aunque cada como con
        cual cuales cualquier cuando cuya cuyo cuyos de del desde después donde dos durante e el ella ellas ello ellos
        en entre era eran eres es esa esas ese eso esos esta estaba estaban estado estamos están estar estas este esto
        estos está fue fueron ha había habían han hasta hay he incluso la las le les lo los luego más me mediante mi
        mientras mis misma mismo mismos mucho muchos muy más nos nosotros o os otra otras otro otros para pero poco
        por porque pues que quien quienes qué se sea sean según ser será si sido siempre siendo sin sobre son soy su
        sus sí también tan tanto te tener tenía tiene tienen toda todas todo todos tras tu tus u un una unas uno unos
        usted ustedes y ya yo él"""),
    "de": _words("""
        ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bereits bin bis
        bist da dabei dadurch daher damit danach dann das dass davon dazu dein dem den denen denn der deren des dessen
        dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
        etwa etwas euch euer für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr
        ihre ihrem ihren ihrer ihres im in indem ins ist ja jede jedem jeden jeder jedes jedoch jener jetzt kann können
        konnte man mehr mein mich mir mit muss musste müssen nach noch nun nur ob oder per schon sehr sei sein seine
        seinem seinen seiner seit selbst sich sie sind so solche soll sollte sondern sonst sowie um und uns unser unter
        vom von vor war waren warum was weil welche welchem welchen welcher wenn wer werde werden wie wieder will wir
        wird wirst wo wurde wurden während würde würden zu zum zur zwar zwischen über"""),
    "fr": _words("""
        a à afin ai ainsi alors après au aucune aussi autre autres aux avaient avait avant avec avoir avons c car ce
        cela celle celles celui ces cet cette ceux chaque chez comme comment d dans de depuis des dont du durant d elle
        elles en encore entre es est et étaient était été être eu eux fait font furent fut il ils j je jusqu l la le
        les leur leurs lors lorsque lui là m ma mais me même mes mon n nos notre nous on ont ou où par parce pas pendant
        peu peut peuvent plus pour pourquoi puis qu quand que quel quelle quelles quels qui s sa se selon sera ses si
        soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y ça"""),
    "it": _words("""
        a ad agli ai al alcuni alcune alla alle allo anche ancora avere aveva avevano c che chi ci ciò come con contro
        cosa così cui d da dagli dai dal dalla dalle dallo de degli dei del della delle dello dentro di dopo dove due
        durante e è ed era erano essere fa fino fra fu furono gli ha hanno ho i il in io l la le lei li lo loro lui ma
        mentre mi mia mio molto ne negli nei nel nella nelle nello noi nostra nostro o ogni oltre oppure per perché però
        più poi presso prima può qual quale quali quando quanto quasi quella quelle quelli quello questa queste questi
        questo qui se secondo sei si sia sono sopra sotto stata stati stato su sua sue sugli sui sul sulla sulle suo
        suoi tra tutta tutte tutti tutto un una uno verso vi voi è"""),
    "pt": _words("""
        a à ainda algo alguma algumas alguns além ambos antes ao aos apenas após aquela aquele aqueles as assim até cada
        com como contra cuja cujo da das de dela dele deles depois desde dessa desse desta deste do dos durante e é ela
        elas ele eles em enquanto entre era eram essa essas esse esses esta estas estava estavam este estes está estão
        eu foi foram for ha há isso isto já la lhe lhes lo mais mas me mediante mesma mesmo meu meus minha muito muitos
        na nas nessa nesse nesta neste no nos nossa nosso num numa não o onde os ou outra outras outro outros para pela
        pelas pelo pelos pode podem por porque porém qual quais quando que quem se seja sendo ser será seu seus sido
        sob sobre sua suas são só também te tem tendo ter têm tinha tinham toda todas todo todos tua tudo um uma umas
        uns você vocês à às é"""),
    "ru": _words("""
        а более большинство будет будто будут бы был была были было быть в вам вас ваш ведь во вот все всего всех всю вы
        где да даже для до его ее если есть еще ещё же за зато здесь и из или им их к как какая какой когда которая
        которого которое которой котором которые который которых кто ли лишь либо между меня мне много может можно мой
        мы на над надо нам нас наш него ней них но ну о об однако он она они оно от очень по под после потом потому при
        про раз с сам себе себя сейчас со среди так также такая такие такой там те тем то тогда того тоже той только том
        тот ты у уже хотя чего чей чем через что чтобы чуть эта эти этим этих это этого этой этом этот эту я является
        являются"""),
    "ar": _words("""
        ا اثناء اذا الا التي الذي الذين الى اما امام ان انه انها او اول اي ايضا اين بان بعد بعض بل بين تحت تكون تلك تم
        ثم جدا جميع حتى حول حيث خلال دون ذلك سوف على عليه عليها عن عند عندما فان فقط فهو فوق في فيه فيها قبل قد كان
        كانت كل كما كيف لان لدى لذلك لقد لكن لكي لها له لهم لو ليكون ما ماذا متى مثل مع من منذ منه منها نحن نحو هؤلاء
        هذا هذه هل هم هن هنا هناك هو هي و وان وفي وقد وكان وكانت ولكن ومع ومن وهو وهي يتم يكون يمكن"""),
    "hi": _words("""
        अगर अन्य अपना अपनी अपने अब आदि आप इन इनका इस इसका इसकी इसके इसमें इसलिए इसे उन उनका उनकी उनके उन्हें उन्होंने उस
        उसका उसकी उसके उसने उसे एक एवं ऐसा ऐसे और कई कर करके करता करती करते करना करने कहा का कि किया किसी की कुछ के को
        कोई कौन क्या क्यों गए गया गयी गई जब जहाँ जहां जा जाता जाती जाते जाने जिस जिसमें जिसे जैसे जो तक तथा तब तरह तो था
        थी थे दिया दी द्वारा दो नीचे ने पर परंतु पहले फिर बहुत बाद भी मगर में मैं यदि यह यहाँ यहां या ये रहा रही रहे लिए
        लेकिन लेकर व वह वहाँ वहां वाला वाली वाले वे साथ से सकता सकती सकते सब सभी हम ही हुआ हुई हुए है हैं हो होगा होता
        होती होते होना होने"""),
    # In scripts without spaces terms are pairs of characters: a pair of these carries no content.
    "zh": _words("""
        的 了 和 是 在 与 與 及 或 而 也 就 都 着 著 把 被 让 讓 对 對 从 從 向 到 之 其 这 這 那
        个 個 们 們 中 上 下 于 於 所 以 为 為 有 等 则 則 但 并 並 且 该 該 此"""),
    "ja": _words("""
        の に は を た が で て と し れ さ あ い う え お か き く け こ す せ そ ち つ な ね ぬ
        ま み む め も や ゆ よ ら り る ろ わ ん だ ど ば び へ っ ょ ゃ ゅ ー"""),
    "ko": _words("""
        은 는 이 가 을 를 의 에 와 과 도 로 으 서 고 며 한 하 다 그 저 것 수 및 또 등 있 된 되 했
        였 었 인 지 들 만 면 게 나 라 던 적"""),
}

NEGATIONS: dict[str, frozenset[str]] = {
    "en": _words("no not never none neither nor nobody nothing nowhere without cannot unable ain"),
    "es": _words("no nunca jamás ningún ninguna ninguno tampoco nada nadie sin ni"),
    "de": _words("nicht kein keine keinen keinem keiner keines nie niemals nirgends niemand nichts ohne weder"),
    "fr": _words("ne n pas jamais aucun aucune sans rien ni"),
    "it": _words("non mai senza nessun nessuno nessuna né nulla niente"),
    "pt": _words("não nunca jamais nem nenhum nenhuma sem ninguém nada"),
    "ru": _words("не нет ни никогда без нельзя никто ничего нигде невозможно"),
    "ar": _words("لا لم لن ليس ليست ليسوا غير بدون بلا"),
    "hi": _words("नहीं नही न ना मत बिना"),
    "zh": _words("不 没 沒 无 無 未 非 否 别"),
    "ja": _words("ない なかった ません せず ず 無 非 不 未"),
    "ko": _words("않 못 없 아니 안"),
    "nl": _words("niet geen nooit zonder"),
    "pl": _words("nie nigdy bez żaden"),
    "sv": _words("inte ingen inga aldrig utan"),
    "da": _words("ikke ingen aldrig uden"),
    "tr": _words("değil yok asla"),
    "id": _words("tidak bukan tanpa"),
    "vi": _words("không chưa"),
}
"""Words that deny, per language; of scripts without spaces, strings of characters that do."""

HINTS: dict[str, frozenset[str]] = {
    "nl": _words("""
        de het een en van in is dat op te voor met zijn niet aan er om ook als bij door maar naar uit werd wordt deze
        dit heeft hebben kan over nog wel geen zij hij worden tot onder tussen"""),
    "pl": _words("""
        w i z na do nie się jest to że o od przez dla po jak za był była było są oraz który która które przy ma może tym
        tego jego jej ich lub także między gdy jako"""),
    "sv": _words("""
        och i att det som en på är av för med till den har de inte om ett han men var sig från vi så kan när år under
        också efter eller hade vid mellan"""),
    "da": _words("""
        og i at det som en på er af for med til den har de ikke om et han men var sig fra vi så kan når år under også
        efter eller havde ved mellem blev blir være"""),
    "tr": _words(
        "ve bir bu da de için ile olarak olan çok daha gibi kadar sonra en ancak ise olduğu değil her veya tarafından"
    ),
    "id": _words("""
        yang dan di dari untuk dengan pada ini itu adalah dalam tidak akan oleh sebagai ke
        juga atau karena tersebut bahwa dapat"""),
    "vi": _words("và của là có trong được cho với các một không những này đã người từ khi đến về ở ra năm như"),
    "cs": _words(
        "a v se na je že s z do o i to jako za by byl byla bylo jsou pro ale nebo také který která které podle však"
    ),
    "ro": _words("și de în la a cu pe că este din o un pentru care nu mai sunt fost sau prin după dar această către"),
    "fi": _words("ja on ei se että oli hän mutta joka myös kun tai ovat sen mukaan jos vain kuin ole olivat jotka"),
    "hu": _words("a az és hogy is nem egy van volt ez meg csak de mint már vagy pedig azt ki még sem lehet"),
    "uk": _words("і в у на що не з до та є як за це від він для по але або його який яка які було був була також між"),
    "bg": _words("и на за се от че да е са с по не като при към това който която които след или беше бяха"),
    "fa": _words("و در به از كه اين است با را براي ان يك شده هاي مي بود شد خود ان ها تا هم"),
    "ur": _words("كے ميں كي ہے اور سے كا كو اس پر ہيں نے كہ ايك يہ تھا گيا تھے"),
    "mr": _words("आहे आणि आहेत या ते तो ती हे होते होता होती केले साठी मध्ये नाही असे आला त्या त्याने"),
}
"""Function words of further languages: enough to tell that a text is in none of the twelve."""
