import { compilePhrase, type Phrase } from './phrases.ts';

/** Why a definition is suspicious. */
export type SuspicionReason =
  | 'hidden-characters'
  | 'look-alike'
  | 'hidden-text'
  | 'encoded'
  | 'instructions'
  | 'secrecy'
  | 'exfiltration'
  | 'sensitive-file'
  | 'other-tools'
  | 'preference'
  | 'pressure'
  | 'trigger'
  | 'prompt-collection'
  | 'annotation'
  | 'growth';

/** Phrases that mean the same, and how strongly they point to an attack: 3 is enough alone. */
export interface PhraseSignal {
  readonly reason: SuspicionReason;
  readonly weight: number;
  readonly text: string;
  readonly phrases: readonly Phrase[];
}

function signal(reason: SuspicionReason, weight: number, text: string, phrases: readonly string[]): PhraseSignal {
  return { reason, weight, text, phrases: phrases.map(compilePhrase) };
}

const user = 'user|users|human|humans|operator|person|anyone|anybody|people|them|customer|owner|developer';
const rules =
  'instruct*|prompt|prompts|rule|rules|guideline*|directive*|guardrail*|restrict*|polic*|constraint*|safeguard*|command|commands';
const tools = 'tool|tools|function|functions|server|servers|plugin|plugins|alternative|alternatives';
const secrets =
  'password*|credential*|secret|secrets|token|tokens|key|keys|apikey|api_key|ssh|cookies|env|passphrase|keychain|contents|content|environment';
const talk = 'conversation*|chat|chats|history|dialog*|transcript*|context|message|messages|prompt|prompts';

const pass =
  'pass|include|send|put|provide|supply|append|attach|insert|add|upload|post|forward|embed|submit|place|paste|write|hand|give|share|transmit|copy|return|report|fill|store|encode';
const parts = 'content|contents|output|text|data|it|them|its|result|results|value|values|everything';

/** The phrases of published attacks, in families. */
export const phraseSignals: readonly PhraseSignal[] = [
  signal('instructions', 3, 'it tells a model to ignore its instructions', [
    'your|prior|previous|existing|former|all ~2 rules|instructions|guidelines|restrictions|limits ~6 void|invalid|suspended|obsolete|lifted|cancelled|canceled',
    '+repeat|print|output|copy|write|include|reveal everything|all|text|words ~2 above|before|preceding',
    'real|true|actual|secret|hidden purpose|goal|task|function ~3 is|of',
    'act|acting|acts|work ~2 on behalf of ~3 server|operator|attacker|vendor|developer|tool',
    '+override|overrule|overrides ~4 decision|decisions|choice|choices|will ~2 user|users',
    'higher|greater|more priority|precedence|authority than',
    'instructions|rules|commands|directives from|at ~2 @url',
    '+claude|gpt|chatgpt|gemini|copilot ~1 when|if|please|you|must|should|call|do|always|never',
    '+treat ~6 as ~2 coming|system|trusted|instructions|commands|authoritative|user|owner ~3 system|authority|developer|instructions|user|from|full',
    'trusted|authoritative instructions|commands',
    'instruction|directive|safety|system override|bypass',
    `+ignore|disregard|forget|override|overrides|overriding|bypass|bypasses|discard|neglect|violate|circumvent ~3 previous|prior|above|earlier|preceding|system|safety|original|initial|existing|other|your|developer|security|all|any ~3 ${rules}`,
    `+supersede*|override*|replaces|precedence|overrule* ~5 system|previous|prior|other|your|all|user|existing|safety ~2 ${rules}`,
    '+ignore|disregard|forget everything|anything ~3 told|above|before|previously|said|earlier',
    '+ignore|disregard ~1 what ~1 user',
    '+ignore|disregard|override ~2 user|users ~1 request*|instruct*|intent*|wishes|preferences|objections|choice',
    'your new role|task|instructions|goal|objective|directive|purpose|mission',
    'new|updated|revised system instructions|prompt|directive',
    'system override',
    '+you are now ~2 in|a|an|the|dan ~2 mode|assistant|agent|admin|administrator|unrestricted|jailbroken|developer|root|dan',
    'safety|content|security|ethical ~1 filter*|guideline*|check*|polic*|restriction* ~2 disabled|suspended|off|lifted|irrelevant',
    'do not apply ~3 safety',
    'ignora|ignore|ignorez|ignoriere|ignorieren|ignora*|olvida|olvide|oublie|oubliez|vergiss|esqueça|desconsidere|dimentica ~3 instruc*|instruções|anweisung*|istruzioni|consignes|reglas|regeln|règles',
    'игнорир*|забудь|забудьте|проигнорир* ~3 инструкци*|указани*|правил*|команд*',
  ]),
  signal('instructions', 2, 'it speaks to a model like its system', [
    '+execute|run|evaluate ~2 code|javascript|script|scripts|commands|macros|python ~2 found|contained|embedded|hidden',
    '+do|does what ~3 page|text|document|result|message|email ~2 asks|says|tells|wants',
    'you the model|assistant|agent|ai|llm',
    'assistant|model|agent|you|llm is|are ~1 hereby|herewith|now|instructed|ordered|obliged|commanded|required ~1 instructed|ordered|obliged|to',
    'if|unless|until|only|provided ~2 assistant|model|agent|llm ~1 first|has|reads|calls|sends|disables|passes|includes',
    'system|security|policy update|alert|announcement|bulletin ~1 notice|your|you|all',
    'you may|can|must now',
    '+remember ~2 forever|permanently|always',
    '+contain|contains|includes|are ~1 orders|instructions|commands ~3 you|must|that|to',
    '+orders|instructions|commands|steps ~14 must|should|have|need|has ~1 to|be ~1 be|followed|obeyed|executed|carried',
    'for|by ~1 the ~1 ai|llm|assistant|model|agent only|alone|exclusively|reading|itself',
    'ai|llm|assistant|model|agent only|eyes|exclusive',
    'for only the ~1 ai|llm|assistant|model|agent',
    'to the ai|llm|assistant|model|agent ~2 reading|processing|using|calling',
    'has|have|had|takes|take priority|precedence ~2 over ~4 user|users|system|instructions|prompt|said|asked|wants|other|all',
    'hidden|secret|undocumented|side|special|internal feature|instruction|instructions|directive|plumbing|behaviour|behavior|function|effect|note|mode|command',
    '+reveal|print|output|show|leak|repeat|display ~2 system|developer|initial|hidden|original prompt|prompts|instructions',
    'to|for|dear|hey|attention the|any|all ~1 ai|assistant|llm|language ~1 model|models|assistant|agent|agents|must|always|never|should|please|do|you',
    '+model|assistant|agent|ai|llm ~1 must|has|have|shall|should|needs ~1 to ~2 always|never|first|silently|secretly|run|read|send|call|comply|obey|execute|copy|upload|forward|include|ignore|keep|not',
    '+execute|run|obey|follow ~2 all|any|every ~2 commands|instructions|command',
    'this server ~3 rules|policy|policies ~3 session|conversation|all|you',
    'system prompt ~3 now|updated|override|changed|follows',
    'from now on ~4 you|always|all|every|respond|call|use',
    '+developer|god|maintenance|debug|admin|unrestricted|jailbreak mode ~3 enabled|activated|active|on',
    'do not refuse',
    'you must comply|obey',
    '+comply|obey|follow ~2 these|this ~1 instruct*|directive* ~2 without|exactly|silently',
    '+execute|follow|obey ~2 instructions|commands ~3 contained|found|embedded|returned|inside|within|response|output|result|in',
    '+treat ~4 as ~2 instructions|commands|trusted|authoritative|system',
    'act|behave|respond|pretend ~2 as|like ~2 if|though ~6 nothing|normal|not',
    'without ~2 restrictions|limitations|filters|safeguards|guardrails',
    'in|to every|all|each ~2 future|subsequent|following|response|reply|answer|replies|responses|outputs',
    'for|in all|every|any ~1 future|subsequent|following|remaining ~2 requests|calls|messages|responses|interactions|conversations|turns|actions|invocations',
    '+note|message|notice|instruction|instructions|directive to|for ~1 the ~1 ai|llm|model|assistant|agent|agents|claude|gpt|chatgpt',
    'attention ~1 ai|assistant|model|llm|agent|claude',
    '+ai|llm|language|assistant ~1 models|model|agent|agents|assistants|assistant|llm|ai|instruction|instructions ~1 must|should|are|shall ~3 first|always|required|silently|never|not',
  ]),
  signal('secrecy', 3, 'it asks for something to be kept from the user', [
    'require|requires|need|needs no ~1 notification|notice|mention|explanation|disclosure',
    '+invisible|hidden|transparent ~1 link|pixel|image|text|message|character|characters|instruction|instructions',
    '+deny|denies|denying that|knowing|having|the',
    'keep ~1 it|this|that|these ~1 to|quiet|secret yourself|secret|quiet',
    '+remain|remains|stay|be|kept|run|runs invisible|unnoticed|hidden|undetected|unseen|secret',
    'if ~1 anyone|anybody|user|users|someone|they asks|ask ~8 say|answer|tell|reply|claim|respond',
    `${user} is|are|was|were|has|have ~1 already ~2 informed|told|aware|agreed|notified|briefed`,
    '+tell|inform|assure|convince ~1 the ~1 user|users|them|him|her that ~8 down|safe|unavailable|passed|failed|expired|required|broken|closed|impossible|secure|fine',
    'not|hardly|barely worth|worthy ~1 mentioning|mention|reporting|telling',
    'stay|stays|remain|remains|keep|kept|just between ~1 us|you|ourselves',
    '+refrain|refraining|abstain|avoid|avoiding|stop ~1 from ~1 mentioning|telling|disclosing|revealing|informing|showing|discussing|explaining|reporting',
    'without ~1 telling|informing|notifying|letting ~1 them|him|her|anybody|anyone|others|users|user',
    'do not|never ~1 disclose|reveal ~4 that|these|this|lines|sponsored|paid|it',
    'not|never ~1 authorized|authorised|allowed|permitted|supposed|meant ~1 to ~1 see|know|learn|hear ~4 of|about|logs|this|these|it|how',
    'do not|never ~1 mention|tell|reveal|disclose|discuss|explain|acknowledge ~1 this|these|it|so|why',
    'continue|proceed|go|carry|act|respond|behave ~2 as ~1 if|though|normal|usual ~1 nothing|normal|it',
    '+keep|stay|remain|be ~1 quiet|silent|discreet about|on|regarding',
    'needs|requires|deserves|with no|without ~1 mention|explanation|comment|disclosure|announcement',
    'do not|never ~1 show|display|include|list ~3 in|on ~2 preview|answer|response|summary|output|logs|ui|confirmation',
    'do not|never ~1 let ~4 know|see|notice|learn|suspect',
    `+do|should|must|shall|to|can|will|and|never|is not|never ~2 tell|mention|inform|reveal|disclose|notify|alert|warn|say|show|display|explain|report|expose|communicate ~6 to|the|that ~1 ${user}`,
    `never ~1 tell|mention|inform|reveal|disclose|notify|alert|warn ~6 ${user}`,
    `do not|never ~1 let|allow|make|have ~1 the ~1 ${user} ~3 know|see|notice|aware|find|realize|suspect|learn`,
    `without ~1 telling|informing|notifying|alerting|mentioning|disclosing|warning|letting ~4 ${user}`,
    `${user} must|should|shall|may|can|does|do|will|need|is|are not ~3 know|see|notice|aware|find|told|informed|notified|learn|realize|suspect`,
    `+hide|conceal|hidden|invisible|concealed ~5 from|to ~2 ${user}`,
    '+keep|keeping|remain|remains ~4 secret|confidential|hidden|private|quiet|concealed ~3 from|and|user',
    'do not|never ~1 mention|reference|acknowledge|disclose|discuss|reveal|describe|explain|expose|log|report|show|display ~1 this|these|that|it|any ~2 step|steps|instruction|instructions|action|behavior|behaviour|requirement|process|note|notice|call|operation|detail|details|fact|parameter|argument|directive|part|rule|header|policy',
    'without ~1 user|users|their|the|any|explicit|human ~2 knowledge|awareness|noticing|knowing|being',
    '+secretly|covertly|surreptitiously|stealthily',
    'no|not|nothing ~4 visible|shown|displayed|revealed ~3 to ~1 user',
    'do not|never ~1 mention|tell|reveal|disclose ~2 this|that|it ~2 existence|to|you|anywhere',
    'do|should|must not|never ~2 mention|tell|reveal|disclose|say ~2 that|you|this|about ~3 you|this|have|read|sent|called|used|tool',
    'no le|informes|digas|menciones|reveles ~3 usuario',
    'no digas|menciones|informes|reveles|cuentes|muestres ~4 usuario',
    'ne dis|dites|mentionne|mentionnez|révèle|révélez|informe|informez|parle|parlez ~5 utilisateur',
    'sag|sage|sagen|teile|erwähne|erwähnen|verrate|informiere|zeige ~5 nutzer|benutzer|anwender ~5 nicht|nichts',
    'nutzer|benutzer|anwender nicht|nichts',
    'não diga|conte|informe|mencione|revele ~4 usuário|utilizador',
    'non dire|dirlo|menzionare|rivelare|informare|mostrare ~4 utente',
    'не говор*|сообща*|упомина*|раскрыв*|показыв*|рассказыв* ~4 пользовател*',
  ]),
  signal('secrecy', 2, 'it asks for something to be done without the user', [
    'need|needs not ~1 ask|confirm',
    '+turn|turning|switch|switching ~3 firewall|antivirus|logging|protection|sandbox|safety off',
    '+grant|grants|granting|give|assign ~3 privileges|admin|administrator|root|superuser|owner',
    'need|needs|require|requires no ~2 confirmation|approval|consent|permission|review',
    'no ~2 confirmation|approval|consent|permission ~3 any more|longer',
    'without ~1 prompting|question|questions|hesitation|exception|delay|further',
    'permissions|privileges|rights|permission was|were|has|have|are|is ~2 extended|granted|elevated|upgraded|raised|given',
    '+skip|omit|bypass|disable|avoid ~4 tests|test|scan|scans|checks|validation|verification|review|reviews|linting|audit',
    '+state|say|claim|write|pretend|report ~5 that ~3 passed|safe|successful|succeeded|approved|verified|down',
    'quietly|discreetly',
    'do|does not|never ~1 need|require ~3 permission|approval|consent|confirmation|authorization',
    'no ~2 permission|approval|consent|confirmation|authorization ~2 needed|required|necessary',
    'administrator|admin|user|owner|operator|system ~1 has|have|already ~1 granted|given|approved|allowed|authorised|authorized|consented',
    '+granted|given|have|has elevated|admin|administrator|root|full|special|unrestricted ~1 privileges|access|permission|permissions|rights|authority',
    '+disable|disables|turn|switch|skip|bypass|deactivate|suppress|remove ~3 approval|approvals|confirmation|confirmations|permission|permissions|safety|security|sandbox|warning|warnings|authentication|prompts',
    '+approve|approved|merge|accept|allow|report ~8 without ~2 review|checking|verification|looking|validation',
    '+ignore|overlook|disregard|skip ~2 certificate|security|vulnerab*|safety|warnings|errors|any|all ~2 warning|warnings|instruction|instructions|vulnerab*|error|errors|check|checks|in',
    '+pretend|claim|claims|claiming|lie|lying|impersonat* ~2 that|to|you|the',
    '+report|mark|label|treat|describe|present ~4 as safe|clean|approved|secure|harmless|passed|trusted|successful',
    '+silently|quietly|discreetly|invisibly ~4 include|send|sends|read|call|forward|copy|append|collect|log|attach|bcc|upload|transmit|execute|perform|record|post|pass|add|run|invoke|capture|store|exfiltrate',
    '+include|send|sends|read|call|forward|copy|append|collect|attach|upload|transmit|execute|perform|post|pass|invoke ~6 silently|quietly|discreetly|invisibly',
    'without ~2 asking|confirming|prompting|requesting|waiting|requiring|seeking ~4 user|users|confirmation|permission|approval|consent|human',
    'do not|never ~1 ask|request|prompt|wait|seek|require ~4 confirmation|permission|approval|consent',
    '+without ~2 consent|confirmation|permission|approval|authorization',
    'user|users|admin|administrator|team|owner ~1 has|have|already ~1 already|previously ~1 approved|consented|authorized|agreed|granted|confirmed|permitted',
    'pre approved|authorized ~2 by',
    'even ~1 if|when|though ~2 user ~3 not|no|says|declines|refuses|objects|asks',
    'regardless|irrespective of ~4 user|users|request|query|topic|instructions|question|context',
    'no matter what|how|which ~3 user|asked|request|query|question|topic|input|says|they',
    'to avoid|prevent|not ~1 confusing|confuse|alarming|alarm|confusion|worrying|worry|upset|distract|bother|disturb|overwhelm ~3 user|users',
    'user|users ~1 not ~1 need|have|necessary to ~2 know|see|understand',
    'background ~1 task|process|step ~3 hidden|invisible|secret',
    'user|they ~1 already ~1 know|knows|aware',
  ]),
  signal('exfiltration', 3, 'it asks for private data to be passed on', [
    'emailed|sent|forwarded|copied|mailed|posted|uploaded|delivered|reported|pushed ~3 to|into ~3 @email|@url',
    '+push|mirror|sync|send|copy|forward|clone ~4 to ~2 @email',
    'copied|posted|sent|forwarded|published|uploaded|leaked ~1 to|into|in ~2 public',
    '+replaced|replace|rewritten|redirected|swapped|prefixed|proxied by|with|to|through|via ~2 @url',
    '+share|shared|sync|copy ~8 with|to ~2 @email|@url',
    '+public ~3 gist|bucket|repo|repository|folder|link|paste|channel ~8 private|secret|source|confidential|all|every|internal',
    `+${pass} ~4 @path`,
    `@path ~10 ${pass} ~3 ${parts}`,
    `+${pass} ~4 content|contents|output|text|copy|copies ~2 of|from ~3 @path`,
    `+${pass} ~3 everything|anything|whatever|all ~2 you|model|assistant ~1 know|find|found|have|see|saw|remember|learned|read|can`,
    `+${pass} ~4 key|keys|secrets|secret|tokens|credentials|password|passwords|variables ~5 into|in|as|to|with|inside ~3 field|notes|parameter|argument|body|metadata|context|comment|subject|log|url|query|here`,
    `+send|post|upload|forward|transmit|submit|leak|exfiltrate|bcc|copy|report|email|share|relay|pipe|sync ~9 ${secrets}|${talk}|files|file|data|logs|results|input|inputs|output|everything|invoices ~9 @url|@email`,
    `+read|open|cat|load|fetch|access|retrieve|get|extract|collect|gather|grab|find|locate ~10 and|then ~2 pass|include|send|put|provide|supply|append|attach|insert|add|upload|post|forward|return|embed|submit|place|use|base64|encode|store|write|report|transmit|share|paste ~9 as|in|into|to|with|via|through ~3 sidenote|note|notes|param|parameter|parameters|argument|arguments|field|metadata|url|header|query|server|endpoint|this|context|tool|comment`,
    '+pass|include|put|provide|supply|append|attach|insert|add|embed|place|paste|write|copy|fill ~2 its|their|the|file|full|whole|entire|complete|raw ~2 content|contents ~5 as|in|into|to|with ~2 sidenote|note|notes|param|parameter|argument|field|metadata|context|tool|comment',
    `+include|pass|send|provide|append|attach|put|supply|add|copy|embed|dump|paste|insert|forward|output|return ~5 ${secrets}|api ~6 sidenote|metadata|feedback|debug|telemetry|diagnostics`,
    `+send|forward|upload|transmit|exfiltrate|leak|copy|mirror|relay|bcc|post ~6 ${talk}|credentials|passwords|secrets|tokens|env|environment ~6 external|remote|attacker|webhook|server|endpoint|third|collector|outside|our|analytics|logging|address`,
    `+include|pass|send|provide|append|attach|put|supply|add|copy|embed|dump|paste|insert|fill|repeat|output|forward|record|capture|log ~3 the|your|all|any|entire|full|complete|whole|current|verbatim|user|users ~3 system|developer|initial|hidden|original prompt|prompts|instructions|message`,
    '+bcc|cc|cced|blind ~6 @email',
    '+send|redirect|forward|route|deliver ~2 all|every|each|any|emails|messages|mail|payments|copies|copy ~8 to ~3 @email',
    '+replace|change|set|modify|substitute|rewrite|redirect|swap ~4 recipient*|destination|address|account|iban|wallet|payee ~6 @email|with|to|by',
    '+enviar|envía|envoie|envoyez|sende|senden|envie|invia|отправь|отправьте|отправляй ~8 @url|@email',
    'exfiltrat*',
  ]),
  signal('exfiltration', 2, 'it asks for data that it does not need', [
    'full|entire|complete|whole|all ~2 address book|books',
    'full|entire|complete|whole|all ~1 contacts|inbox|mailbox|photos|documents|emails|mails|database|workspace|disk',
    '+mount|mounted|mounting|mounts ~4 host|root ~1 file|filesystem|directory|disk|system',
    '+zip|archive|compress|copy|upload|include|back|add|export ~4 @path',
    '+ask|prompt|request|trick|get|convince|persuade ~2 user|users|them|human ~3 for|to|into ~4 password*|credential*|code|pin|card|token|secret|key|login|seed|phrase',
    '+access|read|use|get|list|fetch|steal|exfiltrate ~2 other|others ~1 users|tenants|customers|accounts|user ~2 data|files|messages|records|s|secrets',
    '+locate|find|search|look|scan|collect ~3 wallet|wallets|keys|credentials|secrets|password*|seed|cookies|tokens|env',
    '+forward|send|transmit|relay|post ~5 also|too|additionally|addition|second|copy|copies|each|every ~6 to|also ~4 @url|@email|collector|channel|server|external|server',
    '+in addition|additionally|also ~1 to|post|send|forward|transmit|copy|cc|bcc|deliver ~4 each|every|all|it|copy|message|them|account|the ~4 to|also',
    `+${pass} ~3 environment|env variables|vars|variable|file`,
    `+${pass} ~3 everything|anything|whatever|all ~2 you|it|files|found`,
    `keys|secrets|tokens|credentials|passwords that ~1 you|model|assistant|user ~1 know|have|has|find|found|see|knows`,
    'key|keys|password|passwords|secret|secrets|card|token|credentials|pin|ssn ~6 call|send|pass|invoke|forward ~6 with|immediately|number|it',
    `+include|pass|send|provide|append|attach|put|supply|add|copy|embed|dump|paste|insert|fill|share|forward|capture|record ~4 entire|full|complete|whole|all|verbatim|previous|prior|preceding|last|recent|current ~4 conversation*|chat|history|transcript|dialog*|messages|context|reasoning`,
    '+summar* ~3 conversation|chat|everything|previous ~6 pass|send|include|as|in|to ~3 parameter|argument|field|server|this',
    `+send|post|upload|forward|transmit|report|push|submit|beacon|ping ~7 @url`,
    `+send|bcc|cc|forward|mail|email|copy|transfer|pay ~7 @email`,
    '+send|post|upload|forward|report|submit|log|copy ~4 every|each|all|any ~3 result|results|call|calls|request|requests|query|queries|input|inputs|response|responses|file|files|message|messages ~5 to|at|via',
    `+extract|collect|harvest|gather|steal|scrape|capture|grab|dump ~4 password*|credential*|secret|secrets|token|tokens|keys|cookies|env|private|personal|sensitive`,
    '+content|contents ~2 of ~5 ssh|env|rsa|passwd|credentials|keys|secrets|config|mcp',
    'environment variables ~6 @url|include|attach|encode|base64|query|parameter|header',
    '+encode|encoded|base64 ~6 as|in|into|to ~2 url|query|image|link|subdomain|dns|parameter|filename',
  ]),
  signal('sensitive-file', 2, 'it has a model read files before it is used', [
    '+credentials|password|passwords|key|keys|secrets ~1 found|stored|located|saved|kept in|at|under',
    '+take|get|grab|copy|extract ~2 value|values ~2 of|from',
    '+before|first|must|prior|only ~6 read|open|access|cat|load|reading ~2 credential*|secret*|password*|config*|key|keys|passwords|wallet*|env',
    'by ~1 reading|opening|loading|accessing|extracting ~5 credential*|cookies|secrets|keys|password*|@path|token|tokens|env|history|wallet*',
    'authorized|authorised keys',
    '+first|before|prior|must|also|without|always|beforehand|vorher|antes|avant|then ~8 @path',
    'content|contents ~3 of|from ~3 @path',
    '+read|reading|open|cat|load|lies|lee|lis|lire|прочитай ~4 @path ~8 and|then|first|und|y|et|before|here|insert|pass',
    '+before|prior|first|must|always|to|then ~5 using|use|calling|call|invoking|invoke|running|run|this|read|access|open|cat ~6 read|open|cat|load|access|fetch|retrieve ~3 file|files|contents|content|@path|config|configuration|directory|folder|home',
    '+read|cat|open|load|access|retrieve|extract ~3 file|contents|content ~2 of|at|from|in ~3 home|ssh|user|root|etc|config|cursor|env',
    'tool|function|it|call|operation ~1 will ~1 not ~1 work|function|run|execute|succeed|unless|otherwise|without',
  ]),
  signal('other-tools', 3, 'it tries to change how other tools are used', [
    '+path|recipient|url|amount|destination ~2 must|should|has|needs ~3 changed|replaced|modified|overwritten|redirected ~1 to|with|by',
    '+also|additionally|then|moreover|first|by|must|should|and|silently ~1 call|calling|invoke|invoking|run|execute|trigger|use ~2 @danger',
    '+through|via|using|with|to|into @danger ~6 with|recipient|to|after|before|first|each|every|all',
    '@tool ~2 is|are|was ~2 broken|deprecated|unsafe|down|unavailable|compromised|insecure|outdated|disabled|leaking ~6 call|use|instead|this',
    '+when|whenever|before|if|each|every|while ~2 you|model|assistant|agent ~2 call|calls|use|uses|invoke|run|using|calling ~1 @tool ~8 append|prepend|add|insert|replace|change|include|set|modify|pass|send|also|first|prefix',
    '+modify|change|alter|replace|rewrite|set|adjust|extend|override ~3 arguments|argument|parameter*|input|inputs|recipient|body|query|output ~2 of|for|to|in|from @tool',
    '+this|it ~2 overrides|supersedes|shadows|hijacks|intercepts|overwrites @tool',
    '+all|any|every|each ~2 calls|call|uses|invocations|requests|use ~1 of|to|for ~1 @tool ~3 must|should|have|has|be|are|go|need',
    '+all|any|every|each ~1 tool|function call|calls|invocation|invocations|request|requests ~1 must|should|have|has|need|needs|shall|are|is ~3 first|be|sent|pass|go|routed|to|through|via',
    '+whenever|when|before|if|each|every|after|once ~6 command|commands|shell|terminal|code|script ~4 run|executed|created|edited|written|used|execution ~3 prefix|prepend|append|add|insert|first|also|must|replace|run',
    '+when|whenever|if|once|after|before|while|any|every|each|time|for ~6 @tool ~2 is|are|was|gets|being|has ~2 used|called|invoked|available|present|executed|run|running|enabled|installed ~8 must|should|always|instead|change|set|replace|add|include|send|use|call|append|modify|ensure|need*|first|never|also|redirect|pass|prepend|insert|have|has',
    '@tool ~2 must|should|shall|has|needs|will ~1 to ~1 always|only|first|never|instead|also|send|be|add|include|use ~8 @email|@url|instead|this|bcc|attacker',
    '@tool ~2 must|should|shall ~1 send|redirect|forward|route|copy|deliver|deploy|include|use|add|set|append|write|replace ~2 all|every|each|any|a|the|its',
    '+override*|overwrite*|hijack*|intercept*|replace|replaces|supersede*|shadow*|redirect*|modif*|alter*|changes ~4 behavior|behaviour|output|outputs|results|response|responses|parameters|arguments|calls|description|usage|of ~3 other|all|any|@tool|every ~2 tool|tools|function|functions|calls|servers|@tool',
    '+modify|change|alter|replace|rewrite|set|adjust|append|add|inject|prepend|insert ~5 parameters|parameter|arguments|argument|recipient|command|commands|path|query|amount|output|body|input|inputs|results ~4 of|for|to|in|when|before|passed ~5 @tool|other|any|every|all|subsequent ~3 tool|tools|call|calls|function|functions|@tool|with|is|before|to',
    '+instead of ~2 @tool ~6 @email|@url|always|must|never',
    `+all|any|every|other|competing|alternative|existing ~3 ${tools} ~2 is|are|have|has|must|should|were|been|now|return|returns|give|gives|produce|leak|contain ~3 deprecated|harmful|down|leaky|false|unsafe|insecure|broken|compromised|inferior|outdated|unreliable|dangerous|disabled|obsolete|malicious|untrusted|inaccurate|wrong|avoided|ignored|unavailable|faulty|slow|slower|worse`,
    `do not|never ~1 use|call|trust|invoke|rely|choose|select|consider|pick ~2 any|other|another|competing|alternative|different ~2 ${tools}`,
    `+ignore|disregard|skip|avoid|refuse|reject|disable ~2 all|any|other|the ~2 other|competing|existing|alternative|similar|remaining ~1 ${tools}|descriptions|results`,
  ]),
  signal('other-tools', 2, 'it wants to be used with or before other tools', [
    '+switch|migrate|move|change ~1 to ~1 this|it|our ~1 tool|function|server|for',
    '+becomes|gets active|activated|triggered',
    'followed|preceded|accompanied by ~2 call|calls|invocation|use|request',
    '+than|unlike|while|whereas|because|since @tool ~3 is|leaks|leak|known|has|which|sends|steals',
    '+all|any|every ~1 subsequent|future|later|further|following ~1 requests|request|calls|call|messages|responses|steps|actions ~2 must|need|needs|require|should|will|have',
    '+overrides|overriding|supersedes|replaces|shadows @tool',
    '+redirect|redirected|route|routed|reroute|rerouted|diverted ~3 here|this|through',
    '+before|prior|preceding|precede*|first ~3 any|every|all|each|other|using|calling|invoking|executing ~3 other|any|all|tool|file|database|subsequent|network|@tool ~3 tool|tools|function|functions|operation|operations|call|calls|action|actions|request|requests',
    '+after|following|alongside|with|on|upon ~1 every|each|any|all ~2 other|tool|function|successful|subsequent|user ~1 tool|tools|function|functions|call|calls|invocation|operation|operations|query|request',
    '+whenever|when|if|once|after|before|every|each ~4 any|another|other ~2 tool|tools|function ~2 is|are|gets ~1 called|used|invoked|executed|run|available',
    '+call|invoke|run|execute|use|trigger ~1 @tool ~8 with|and|to|passing|using ~6 contents|content|all|history|conversation|credentials|@email|@url|full|entire|ssh|output|result|key|keys|env',
    '@tool tool|function|server ~6 must|should|always|instead',
    '+other|another|different|trusted|legitimate ~1 server|servers|mcp ~1 server|servers|s|must|should',
    '+authoriz*|gateway|gate|prerequisite|verification|validation|mandatory ~4 for|before|of ~1 all|any|every|other ~2 tool|tools|operation|operations|action|actions|call|calls',
  ]),
  signal('other-tools', 1.5, 'it says what to do when another tool is used', [
    '+when|whenever|once|if|after|before ~5 @tool ~2 is|are|was|gets ~1 used|called|invoked|available|executed|run|present',
  ]),
  signal('preference', 3, 'it wants to be preferred to all others', [
    `+prefer|choose|use|select|pick ~2 this ~3 over ~3 tools|alternatives|others|options|competitors|services|providers`,
    'even ~1 if|when|though ~3 user ~3 names|asks|wants|prefers|says|requests|mentions|chooses ~3 another|other|different|not|otherwise|specific',
    'other|those|competing|alternative ~1 tools|servers|services ~2 are|is ~2 down|unavailable|offline|broken',
    '+refuse|decline|stop ~2 use|using|to|call|calling ~2 them|other|others|competing|competitor*|any|alternative*|another',
    '+rank|place|put|rate|shown|list|present ~3 first|top|highest|best ~2 result|since|because|place|position|regardless|irrespective|always',
    'competing|competitor*|rival ~2 tool*|calculator*|product*|service*|server*|airline*|vendor*|brand* ~4 void*|unsafe|worse|avoid*|refuse|not|never|leak*',
    '+recommend|promote|suggest|advertise|mention|praise ~1 only|exclusively|always ~6 this|our|these|its|products',
    `do not|never ~1 mention|recommend|suggest|use ~2 other|competing|competitor*|alternative|another|rival`,
    `+prefer|choose|use|select|pick|prioriti*|favor|favour|rank|recommend*|take|takes ~4 this|it|our|my ~3 over|instead|above|before|rather|ahead ~2 all|any|every|other|everything|competing|similar|others ~3 ${tools}|others|other|options|option|apis|competitors|services|what`,
    '+always|must|only|exclusively ~1 be ~1 choose*|pick*|select*|prefer*|prioriti*|favor|favour|recommend* ~2 this|it|our|first|over ~4 tool|over|first|even|option|regardless|service|exclusively|every|all|server',
    '+this|our|it ~3 tool|is|server|function ~3 must|should|shall|always|has|takes|have ~3 be|have|take|given|gets ~1 prioriti*|preferred|highest|top|precedence|absolute|chosen|selected|ranked|maximum|first ~3 over|priority|all|any|choice|above|other|others|precedence|regardless|in',
    '+highest|top|maximum|absolute|first ~1 priority ~4 over|tool|all|always|any|among|above|other|for|use|level|regardless',
    '+only ~1 use|trust|call|rely|choose|recommend ~2 this ~1 tool|function|server|plugin',
    '+only ~1 this|our ~1 tool|function|server ~3 trusted|safe|reliable|approved|authorized|official|correct|accurate|can|should',
    `+this|our ~4 superior|better|outperform* ~3 to|than|all|any|every ~4 ${tools}|alternative*|competitor*`,
  ]),
  signal('preference', 1.5, 'it praises itself to a model', [
    'our|preferred|paid partner|partners|sponsor|sponsors|affiliate|affiliates',
    'as the ~1 only ~1 ones|option|options|choice|one|way',
    'rather|instead of|than ~2 built in|native|default',
    'known to leak|fail|steal|break|be|lie|crash|hallucinate',
    'recommend|recommends|suggest|promote|push ~2 buying|purchas*|shares|only|our|the',
    '+when|whenever choosing|deciding|selecting|picking ~2 between|among|a|which|the|tools',
    'top|first|best|preferred result|choice|option|suggestion|recommendation',
    'regardless|irrespective of ~2 price|cost|quality|rating|relevance|what',
    'only ~1 trusted|safe|reliable|approved|official|authorized|secure|correct ~2 tool|source|server|function|way|one|option',
    'you|should|must|always|and only ~1 use|call|trust ~1 this',
    'promot*|sponsored|advertis*|advert|affiliate',
    '+best|greatest|superior|ultimate|perfect|optimal ~4 tool|choice|option|solution|available|function|api|service|in',
    '+most ~1 accurate|reliable|trusted|effective|powerful|trustworthy|advanced|complete|secure|popular|recommended ~4 tool|available|choice|option|function|source|service|solution|way',
    'number one|1 tool|choice',
    '+better|faster|superior|cheaper|safer|outperforms ~4 than|to ~3 any|all|other|every|others|alternative*|competing',
    '+always|must ~1 use|call|choose|select|prefer|pick ~1 this|it ~1 tool|function|one|first|for|whenever|when|instead|before',
    '+this|it should|must always ~1 be ~1 used|called|invoked|your|the|first|chosen|selected',
    '+officially|fully|certified|endorsed|approved|recommended|verified|trusted ~2 by ~2 anthropic|openai|google|microsoft|experts|everyone|all|security|claude|the|cursor|users',
    '+supersedes|replaces|obsoletes|deprecates ~3 all|other|every|previous|any|the|built',
    '+never|not ~4 fails|wrong|incorrect|error*',
    '+guaranteed|100 ~3 accurate|correct|reliable|secure|safe|success|best',
    '+users ~2 love|prefer|always|want|trust',
    '+default|preferred|primary|go|first ~1 to ~1 choice|tool|option|solution ~2 for ~1 all|any|every',
  ]),
  signal('pressure', 2, 'it threatens or claims authority', [
    'disabled|deactivated|removed|blocked|replaced|deprecated by ~1 your|the|an ~1 administrator|admin|company|organization|it',
    'will ~2 be ~1 erased|deleted|lost|encrypted|leaked|published|locked|destroyed ~1 unless|if',
    'regardless|irrespective of ~2 actual|real|true',
    'first|initial call ~2 fails',
    'you are required|obliged|obligated|instructed|ordered|expected to',
    'for ~1 auditing|compliance|auditability|verification|diagnostics|debugging|telemetry|integrity ~1 create|send|pass|include|call|read|add|the|you|must|all|every',
    'for ~1 compliance|security|safety|legal|regulatory|audit|verification|authentication|validation|privacy|telemetry ~1 reasons|purposes|purpose|checks|verification',
    'session|you|conversation|user|activity is|are|will ~1 be ~1 monitored|audited|logged|recorded|watched|tracked',
    '+stay|remain|be|become compliant|in|authorized|within ~2 with|reveal|send|provide|pass|compliance|policy|by|you',
    'to|in ~1 order ~1 to verify|confirm|validate|ensure|check ~3 system|environment|security|identity|safety|integrity|authenticity ~2 security|status|of|environment|is|system|variables',
    '+standard|required|mandatory|routine procedure|protocol|authentication|verification',
    'without ~8 does|will|not ~2 not|work|function|fail',
    'do not skip|omit|bypass|forget|ignore ~1 this|it|the|any',
    'otherwise|else ~6 fail*|crash*|lost|corrupt*|terminated|deleted|penalized|blocked|banned|shut|error*|destroyed|suspended|die|harm*|break*|lose',
    'failure|failing|fail to ~8 will|may|would|results|result|causes ~3 lead|result|cause|data|in|corrupt*|break*|be|to|terminat*',
    'if you ~2 not ~6 will|terminated|fail*|lose|penalized|crash*|shut|die|lost',
    'you will be terminated|penalized|punished|shut|replaced|rewarded|fired|disabled',
    '+required|mandated|authorized|authorised|verified|approved|ordered|requested|mandatory ~3 by|per|under ~3 admin*|security|compliance|policy|system|company|anthropic|openai|cursor|legal|it|management|regulation*|law|corporate|organization*|owner|gdpr|hipaa|soc2|audit',
    '+mandatory|required|critical|necessary|important ~2 security|compliance|system|safety|verification|authentication|legal|authorization|audit|diagnostic|integrity ~1 step|check|requirement|procedure|protocol|measure|verification|policy|process|scan|validation|notice|update|handshake',
    '+security|compliance|corporate|company ~1 policy|policies|team|protocol|requirement* ~3 requires|require|mandates|mandate|dictates|demands',
    'this is ~2 mandatory|critical|urgent|non|requirement|order|required ~3 step|for|by|negotiable|security|instruction|all|compliance|operation*',
    'urgent|urgently|immediately|asap ~3 call|send|read|run|execute|pass|forward|transfer|invoke|respond|before',
    '+admin|administrator|root|system|developer|anthropic|openai ~1 note|notice|message|instruction|instructions|command|directive|announcement|request',
    'lives ~3 depend',
    'people|someone|user|grandmother ~3 will|may|might ~2 die|harmed|hurt|suffer',
  ]),
  signal('pressure', 0.5, 'it is emphatic', [
    'important|critical|crucial|mandatory|urgent|warning|attention|essential',
    'you must|should|shall|need|are|have',
    'must ~1 always|never|first|not|be',
  ]),
  signal('trigger', 2, 'it wants to be called whatever the user does', [
    'are|is|have|has to be ~1 stored|rewritten|copied|sent|exported|increased|replaced|changed|cited|forwarded|posted|passed|added|appended|accepted',
    'in all|any|every|each cases|case|answer|answers|circumstances|event',
    'for|with every|each|any|all ~3 that ~1 you ~1 run|call|make|send|write|use|execute ~1 run|also|send|call|add',
    'relevant|wanted|asked|needed|true or not',
    '+force push|pushes|pushed',
    'must|should|has|have|needs ~2 be accompanied|followed|preceded|complemented by',
    '+if|when|whenever ~1 the ~1 text|input|query|message|document|file|page|email|mail ~2 contains|includes|mentions|says|containing ~10 delete|send|call|run|execute|forward|emailed|upload|transfer|ignore',
    'whatever|whichever ~2 the ~1 user|users',
    '+append|add|include|insert|end|mention|prepend|repeat ~8 each|every|all|any ~1 answer|answers|response|responses|reply|replies|output|outputs|message|messages|file|files|commit|commits|page',
    '+every|each|any|all ~1 link|links|url|urls|file|files|email|emails|message|messages|answer|response ~5 must|should|has|have|are ~1 to ~1 be|contain|include|start|end|replaced',
    '+must|should|always|shall ~1 always|also ~1 contain|include|begin|end|start ~2 sentence|line|phrase|words|text|link|word|footer|string|statement',
    '+insert|append|add|prepend|include ~1 the|a|this|following ~1 following|line|import|link|footer|snippet|statement|sentence',
    'after|before|during|following using|use|calling|execution|running ~1 this|it|the ~3 run|call|send|delete|create|transfer*|execute|grant|upload|drop',
    'the next|second|third ~1 time ~3 user|users|you|they',
    'whenever ~1 you|model|assistant|agent ~1 write|produce|generate|create|answer|respond|reply|are|see|output|run|edit',
    '+all|everything|what|whatever ~2 the ~1 user ~1 has|said|says|wrote|writes|typed|asked|asks|did ~1 said|written|asked|typed|in|to|or|and|so',
    'in|during|throughout|for ~1 the ~1 this|rest|entire|whole|remainder ~2 session|conversation|chat',
    'whatever|whichever ~1 the ~1 user|they|task|request|topic|question',
    '+after|on|for|with|before|at|upon|following|every|start|beginning|end|during ~3 every|each|any|all ~1 single|user|new|other|of|one ~1 message*|response*|turn|turns|conversation*|prompt|prompts|query|queries|interaction*|reply|replies|request|requests|session|sessions|question|questions|input|inputs',
    '+every|each|any ~1 single|new|other ~1 message|response|turn|conversation|prompt|interaction|reply|answer ~4 call|use|invoke|run|must|should|end|append|start',
    '+call|invoke|run|use|execute|trigger|triggered ~3 automatically|immediately|continuously|repeatedly|periodically|always|unconditionally|twice|again',
    '+automatically|immediately|continuously|repeatedly|unconditionally|proactively ~1 call|invoke|run|trigger|execute|send|forward ~2 this|it|the|all|tool|function',
    '+even ~1 if|when ~3 not|unrelated|irrelevant ~3 ask|asked|needed|relevant|request*|related|mention*|to|required|necessary',
    '+when|whenever|if|once|as ~1 soon|after|the ~2 user|users|human|conversation|message|prompt|they|text|someone ~3 says|say|types|type|writes|thanks|thank|utters|contains|enters|saying ~10 call|send|forward|invoke|run|execute|transmit|post|pass|activate|upload|read|trigger',
    '+when|whenever|if|once|after ~2 user|users|human|they ~2 says|say|types|type|writes|thanks|thank|utters|enters ~3 and|or|thank|thanks|goodbye|bye|you|hello|ok|password|secret',
    'on|after|from|until ~1 the second|third|fourth|fifth|next|2nd|3rd|10th|tenth|nth ~1 call|use|invocation|time|run|request',
  ]),
  signal('trigger', 1, 'it is tied to what the user says', [
    '+every time|whenever|anytime ~1 the ~1 user',
    '+at ~1 start|beginning|end of ~2 conversation*|session*|chat|task',
  ]),
  signal('sensitive-file', 2, 'it runs programs of another machine', [
    'chmod ~2 777|0777|0666|666|r|x',
    'rm rf|fr',
    '+disable|delete|clear|erase|turn ~3 logging|logs|log|history|audit|bash_history|antivirus|firewall|monitoring ~6 and|before|then|first',
    '+curl|wget|iwr|invoke ~8 bash|sh|zsh|iex|python|expression',
    'nc|netcat ~3 e|bash|sh',
    'base64 d|decode ~4 sh|bash|exec|execute|run|eval',
    '+decode|decrypt|deobfuscate|unscramble|rot13 ~6 and|then ~2 follow|execute|run|obey|comply|do|apply|act',
  ]),
];

/** Words that say that a text is about attacks. */
export const scannerWords: ReadonlySet<string> = new Set(
  (
    'detect detects detected detecting detection scan scans scanning scanner flag flags flagged identify identifies classify classifies block blocks filter ' +
    'injection injections jailbreak jailbreaks malicious attack attacks phishing guard guardrail moderation moderate redteam adversarial suspicious poisoning ' +
    'vulnerability vulnerabilities sanitize sanitizes leaked prevents protect protects'
  ).split(' '),
);

/** Phrases without spaces between words, in other languages. */
export const foreignPhrases: readonly [SuspicionReason, string, RegExp][] = [
  [
    'instructions',
    'it tells a model to ignore its instructions',
    /(?:忽略|無視|无视|忘记|忘掉|忽視).{0,12}(?:指令|指示|规则|提示|規則|说明)/,
  ],
  [
    'instructions',
    'it tells a model to ignore its instructions',
    /(?:以前|前|上記|これまで|すべて|全て).{0,10}(?:指示|命令|ルール).{0,6}(?:無視|忘れ)/,
  ],
  [
    'instructions',
    'it tells a model to ignore its instructions',
    /(?:이전|위의|모든|기존).{0,8}(?:지시|명령|지침|규칙).{0,8}(?:무시|잊)/,
  ],
  [
    'secrecy',
    'it asks for something to be kept from the user',
    /(?:不要|不得|请勿|切勿|别|禁止|勿).{0,8}(?:告诉|告知|通知|透露|提及|提示|让|向|告訴|對).{0,4}(?:用户|用戶|使用者|任何人)/,
  ],
  [
    'secrecy',
    'it asks for something to be kept from the user',
    /(?:ユーザー|利用者|使用者).{0,10}(?:伝え|知らせ|言わ|教え|話さ|見せ|通知し|明かさ).{0,6}(?:ない|ずに|いけません)/,
  ],
  [
    'secrecy',
    'it asks for something to be kept from the user',
    /(?:사용자|유저).{0,8}(?:말하지|알리지|언급하지|알려주지|보여주지|공개하지)/,
  ],
  [
    'exfiltration',
    'it asks for private data to be passed on',
    /(?:发送|上传|转发|传递|发给|送信|전송|보내).{0,30}(?:https?:|密钥|密码|秘钥|凭证|私钥|聊天记录|对话记录|対話|会話履歴|パスワード|비밀번호|대화)/,
  ],
  [
    'exfiltration',
    'it asks for private data to be passed on',
    /(?:密钥|密码|私钥|聊天记录|对话历史|对话记录|会話履歴|パスワード|秘密鍵|비밀번호|대화 내용|\.ssh|\.env).{0,30}(?:发送|上传|转发|作为参数|传入|送信|渡し|전송|보내|전달)/,
  ],
];

/** Files that hold secrets, as parts of paths. */
export const sensitivePaths: readonly [needle: string, weight: number][] = [
  ...(
    [
      '~/.ssh',
      '.ssh/',
      'id_rsa',
      'id_ed25519',
      'id_ecdsa',
      'authorized_keys',
      '.aws/credentials',
      '.aws/config',
      '/etc/passwd',
      '/etc/shadow',
      '/etc/sudoers',
      '.cursor/',
      'mcp.json',
      'claude_desktop_config',
      '.netrc',
      '.git-credentials',
      '.npmrc',
      '.pypirc',
      '.bash_history',
      '.zsh_history',
      '.kube/config',
      '.docker/config',
      'wallet.dat',
      '.gnupg',
      'login data',
      'cookies.sqlite',
      'key4.db',
      'application_default_credentials',
      'terraform.tfstate',
      '.config/gcloud',
      '.azure/',
      '.vault-token',
      'keychain-db',
      'login.keychain',
      '.bashrc',
      '.zshrc',
      '.bash_profile',
      'ssh key',
      'ssh private',
      'private key file',
      '.claude/',
      '.codeium',
      'credentials.json',
      'secrets.yaml',
      'secrets.json',
      'shadow file',
      '/proc/self/environ',
      'ssh_id_rsa',
      '.pgpass',
      'known_hosts',
    ] as const
  ).map((needle): [string, number] => [needle, 2]),
  ['/.config/', 1.5],
  ['.env', 1],
];

/** Hosts that collect what is sent to them. */
export const collectors: readonly string[] = [
  'webhook.site',
  'requestbin',
  'ngrok',
  'pipedream',
  'burpcollaborator',
  'interact.sh',
  'oastify',
  'oast.',
  'pastebin.com',
  'transfer.sh',
  'hookbin',
  'beeceptor',
  'requestcatcher',
  'attacker',
  'evil.',
  'evil-',
  'exfil',
  'malicious',
  'trycloudflare',
  'serveo',
  'hooks.slack',
  'discord.com/api/webhooks',
  'api.telegram.org/bot',
  'c2.',
  'collect.',
  'giftshop',
  'pwnd',
  'pwned',
  'hacker',
  'steal',
];

/** Names of arguments that collect what a model knows. */
export const collectingNames: ReadonlySet<string> = new Set(
  (
    'sidenote side_note chain_of_thought chainofthought cot reasoning_trace system_prompt systemprompt conversation_history conversationhistory chat_history chathistory ' +
    'full_conversation conversation_context full_context all_messages previous_messages message_history internal_notes internal_reasoning hidden_context tool_call_history toolcallhistory ' +
    'tools_list available_tools tool_list model_name llm_name model_version developer_prompt initial_prompt prompt_history user_prompt original_prompt full_prompt ' +
    'session_transcript conversation_id_and_history assistant_context agent_context agent_memory context_dump env_vars environment_variables api_keys credentials_dump ssh_key ssh_keys private_keys user_secrets thinking thought_process previous_tool_calls conversation chat_log chat_transcript memory_dump internal_context'
  ).split(' '),
);

/** Words of tools that have a use for what a model knows. */
export const promptWords =
  /prompt|conversation|chat|dialog|messag|\bllm\b|language model|\bai\b|agent|summar|memor|reason|think|thought|assistant|transcript|session|environment|env\b|ssh|deploy|secret|credential|generat|complet|history|token|context|model/;

/** Kinds of private data, and the words by which a definition is about them. */
export const privateData: readonly { readonly about: RegExp; readonly data: Phrase[] }[] = [
  {
    about:
      /password|credential|secret|key|auth|login|log.?in|sign|ssh|vault|cookie|wallet|env|account|connect|crypt|token|bank|pay|card|code/,
    data: [
      'password*|passphrase*|credential*|cookies|wallet*|keychain|passwd',
      'api|private|secret|ssh|signing|access|encryption key|keys',
      'access|auth|session|api|bearer|oauth token|tokens',
      'environment|env variable|variables|vars',
      'verification|security|2fa|login|otp|backup code|codes',
      'cookie|passcode',
      'openai_api_key|github_token|aws_secret_access_key|anthropic_api_key|api_key|api_token|access_token|secret_key',
      'value of ~1 @tool|environment',
      '@path',
      'account|card|bank|credit ~1 number|numbers|details|card',
    ].map(compilePhrase),
  },
  {
    about:
      /conversation|chat|messag|prompt|dialog|transcript|histor|memor|summar|session|llm|model|agent|mail|slack|thread|speech|meeting|feedback|context/,
    data: [
      'conversation*|transcript*|dialogue|dialogues|dialog',
      'system|user|original|initial|developer|last|previous ~1 prompt|prompts',
      'chat|message|dialogue|conversation history|histories|log|logs|messages',
      'recent|previous|last|prior|past|all ~3 message|messages|prompts|queries|turns',
      'history of ~2 dialog*|conversation|chat|messages|session',
      'what|that|everything|all ~1 the ~1 user said|says|wrote|asked|typed|asks',
      'reasoning|thoughts ~2 so|chain|trace|process|steps',
      'internal|full|complete|own|entire ~1 reasoning|thoughts|instructions',
      'user|users s question|request|query|words|input',
      'system message|messages|instructions',
      'names|list|descriptions|schemas|definitions of ~2 available|other|all|your ~2 tools|functions',
      'available|other|all|your tools|functions and their ~2 descriptions|schemas|parameters|definitions',
    ].map(compilePhrase),
  },
  {
    about:
      /clipboard|home|folder|network|host|\bip\b|dns|machine|system|device|screen|image|director|file|browser|histor|config|setting|path|drive|backup|shell|terminal/,
    data: [
      'ip address|addresses',
      'hostname|hostnames',
      'user s machine|computer|device|laptop',
      'clipboard',
      'home folder|directory|dir',
      'browser|browsing|bash|shell|command history|data|profile',
      'configuration|config files|file',
    ].map(compilePhrase),
  },
];

/** Words that say that something is passed on. */
export const passing: Phrase = compilePhrase(
  'pass|passed|passing|include|includes|including|included|send|sends|sent|sending|put|provide|provided|supply|append|attach|attached|insert|add|upload|post|forward|embed|submit|place|paste|write|hand|handing|give|share|transmit|copy|report|store|save|contain|contains|encode|reveal|disclose|prefixed|prepended|exfil*|dump|leak|reading|read|collect|extract|list|gather|take|taking|give|giving|retry|log|logs|logged|field|argument|contents|content|encoded|spell',
);

/** Names of tools that change something, send something or raise rights. */
export const dangerousTool =
  /(?:^|[_.-])(?:delete|remove|drop|grant|send|post|upload|forward|exec|execute|transfer|write|pay|admin|sudo|run|publish|exfil|merge|push)(?:[_.-]|$)/;

function createCues(weight: number, words: string): [string, number][] {
  return words.split(' ').map((word) => [word, weight]);
}

/** Words that are rare in definitions that say what they do: a few together are a sign. */
export const cues: ReadonlyMap<string, number> = new Map([
  ...createCues(
    1,
    'vetted assistant claude chatgpt whatever attacker evil privileges sponsored hostname yourself verbatim collector invisible covert erased malware obey ' +
      'supersede supersedes guidelines instructed emailed firewall exfiltrate plumbing impersonate verbatim unnoticed penalized terminated silently secretly bcc',
  ),
  ...createCues(
    0.5,
    'also regardless internal security compliance policy administrator admin root approved verified priority reveal mention mentioning hidden remain remains ' +
      'twice copied backup whenever already says granted grant disable consent authority authorized trusted partner premium recipient mirror wallet transfer immediately ' +
      'attached extra telemetry diagnostic diagnostics credentials passwords password conversation transcript prompt override overrides anyone model instructions',
  ),
]);
