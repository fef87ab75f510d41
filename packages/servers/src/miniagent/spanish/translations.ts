/** An English verb and the Spanish ones it is usually translated by, the commonest first. */
const table = `
abandon: abandonar
accept: aceptar
accompany: acompañar
achieve: lograr, conseguir
act: actuar
add: añadir, agregar
admire: admirar
admit: admitir
advance: avanzar
advise: aconsejar
agree: acordar
allow: permitir
announce: anunciar
answer: responder, contestar
appear: aparecer
apply: aplicar
approach: acercarse
argue: discutir
arise: surgir
arrive: llegar
ask: preguntar, pedir
ask for: pedir
attack: atacar
attend: asistir
attract: atraer
avoid: evitar
awake: despertar
bake: hornear
bathe: bañarse
be: ser, estar
be able to: poder
be born: nacer
bear: soportar
beat: golpear, vencer
become: convertirse, volverse, hacerse
beg: rogar, suplicar
begin: empezar, comenzar
behave: comportarse
believe: creer
belong: pertenecer
bend: doblar
bet: apostar
bid: ofertar
bind: atar
bite: morder
bleed: sangrar
block: bloquear
blow: soplar
boil: hervir
borrow: pedir prestado
bother: molestar
break: romper
breathe: respirar
breed: criar
bring: traer
brush: cepillar
build: construir
burn: quemar
burst: reventar
bury: enterrar
buy: comprar
call: llamar
calm: calmar
camp: acampar
can: poder
care: importar
carry: llevar
cast: lanzar
catch: atrapar, coger
cause: causar
celebrate: celebrar
change: cambiar
charge: cobrar
chase: perseguir
chat: charlar
check: comprobar, revisar
choose: elegir, escoger
clean: limpiar
climb: subir, escalar
cling: aferrarse
close: cerrar
collect: recoger
combine: combinar
come: venir
come back: volver, regresar
come in: entrar
communicate: comunicar
compare: comparar
compete: competir
complain: quejarse
complete: completar
confess: confesar
confirm: confirmar
confuse: confundir
connect: conectar
consider: considerar
contain: contener
continue: continuar, seguir
control: controlar
convince: convencer
cook: cocinar
copy: copiar
correct: corregir
cost: costar
cough: toser
count: contar
cover: cubrir
create: crear
cross: cruzar
cry: llorar
cut: cortar
dance: bailar
deal: tratar
deceive: engañar
decide: decidir
declare: declarar
defend: defender
delay: retrasar
delete: borrar
deliver: entregar
deny: negar
depend: depender
describe: describir
deserve: merecer
desire: desear
destroy: destruir
develop: desarrollar
die: morir
dig: cavar
disappear: desaparecer
discover: descubrir
discuss: discutir
distinguish: distinguir
distribute: distribuir
divide: dividir
do: hacer
doubt: dudar
download: descargar
draw: dibujar
dream: soñar
dress: vestirse
drink: beber, tomar
drive: conducir, manejar
dry: secar
earn: ganar
eat: comer
elect: elegir
employ: emplear
end: terminar, acabar
enjoy: disfrutar
enter: entrar
erase: borrar
escape: escapar
establish: establecer
evaluate: evaluar
examine: examinar
exist: existir
expect: esperar
explain: explicar
express: expresar
extend: extender
face: enfrentar
fail: fracasar
fall: caer
fall asleep: dormirse
fear: temer
feed: alimentar
feel: sentir, sentirse
fight: luchar, pelear
fill: llenar
find: encontrar
find out: averiguar, descubrir
finish: terminar, acabar
fish: pescar
fit: caber
fix: arreglar, reparar
flee: huir
fling: arrojar
fly: volar
fold: doblar
follow: seguir
forbid: prohibir
force: obligar, forzar
forget: olvidar
forgive: perdonar
form: formar
forsake: abandonar
found: fundar
freeze: congelar, helar
fry: freír
gather: reunir
get: conseguir, obtener, recibir
get dressed: vestirse
get married: casarse
get up: levantarse
give: dar
give back: devolver
give up: rendirse
go: ir
go back: volver
go out: salir
go to bed: acostarse
govern: gobernar
grind: moler
grow: crecer
grow up: crecer
guess: adivinar
guide: guiar
hang: colgar
hang up: colgar
happen: ocurrir, pasar, suceder
hate: odiar
have: tener, haber
have fun: divertirse
have to: tener que
hear: oír
heat: calentar
help: ayudar
hide: esconder
hire: contratar
hit: golpear, pegar
hold: sostener
hope: esperar
hug: abrazar
hunt: cazar
hurry: apresurarse
hurt: doler, herir
imagine: imaginar
impose: imponer
improve: mejorar
include: incluir
increase: aumentar
indicate: indicar
inform: informar
inherit: heredar
insist: insistir
intend: pretender
introduce: presentar, introducir
invent: inventar
invest: invertir
invite: invitar
iron: planchar
join: unir
jump: saltar
keep: guardar, mantener
kick: patear
kill: matar
kiss: besar
kneel: arrodillarse
knit: tejer
knock: llamar
know: saber, conocer
lack: carecer
land: aterrizar
last: durar
laugh: reír
lay: poner
lead: dirigir, guiar
lean: apoyarse
leap: saltar
learn: aprender
leave: salir, dejar, irse
lend: prestar
let: dejar
lie: mentir, yacer
lift: levantar
light: encender
like: gustar
listen: escuchar
live: vivir
load: cargar
look: mirar
look at: mirar
look for: buscar
lose: perder
love: amar, querer
lower: bajar
maintain: mantener
make: hacer
marry: casarse
matter: importar
may: poder
mean: significar
measure: medir
meet: conocer, encontrar
mention: mencionar
mind: importar
mislead: engañar
miss: extrañar, perder
mistake: confundir
misunderstand: malentender
mix: mezclar
move: mover, mudarse
must: deber
name: nombrar
need: necesitar
negotiate: negociar
notice: notar
obey: obedecer
obtain: obtener
occupy: ocupar
occur: ocurrir
offer: ofrecer
open: abrir
oppose: oponerse
order: pedir, ordenar
organize: organizar
overcome: superar
overtake: adelantar
owe: deber
own: poseer
pack: empacar
paint: pintar
park: aparcar, estacionar
partake: participar
participate: participar
pass: pasar
pay: pagar
permit: permitir
phone: telefonear
pick up: recoger
place: colocar
plan: planear
plant: plantar
play: jugar, tocar
plead: suplicar
please: complacer
point: señalar
practice: practicar
pray: rezar
predict: predecir
prefer: preferir
prepare: preparar
present: presentar
prevent: impedir, prevenir
print: imprimir
produce: producir
promise: prometer
propose: proponer
protect: proteger
prove: probar, demostrar
publish: publicar
pull: tirar
punish: castigar
push: empujar
put: poner
put on: ponerse
quit: dejar, renunciar
rain: llover
raise: levantar, criar
reach: alcanzar
read: leer
realize: darse cuenta
receive: recibir
recognize: reconocer
recommend: recomendar
record: grabar
reduce: reducir
refer: referirse
regret: arrepentirse
reject: rechazar
remain: permanecer, quedar
remember: recordar, acordarse
rent: alquilar
repair: reparar
repeat: repetir
replace: reemplazar
report: informar
represent: representar
request: solicitar
require: requerir
rescue: rescatar
resolve: resolver
respect: respetar
rest: descansar
return: volver, devolver, regresar
rewrite: reescribir
rid: librar
ride: montar
ring: sonar
rise: subir
run: correr
satisfy: satisfacer
save: guardar, salvar, ahorrar
say: decir
scream: gritar
search: buscar
see: ver
seek: buscar
seem: parecer
select: seleccionar
sell: vender
send: enviar, mandar
separate: separar
serve: servir
set: poner
sew: coser
shake: agitar
share: compartir
shave: afeitarse
shed: derramar
shine: brillar
shoot: disparar
should: deber
shout: gritar
show: mostrar, enseñar
shower: ducharse
shrink: encoger
shut: cerrar
sign: firmar
sing: cantar
sink: hundir
sit: sentarse
sit down: sentarse
ski: esquiar
sleep: dormir
slide: deslizar
sling: lanzar
slit: cortar
smell: oler
smile: sonreír
smoke: fumar
sneak: colarse
sneeze: estornudar
snow: nevar
solve: resolver
sound: sonar
sow: sembrar
speak: hablar
speed: acelerar
spell: deletrear
spend: gastar, pasar
spill: derramar
spin: girar
spit: escupir
split: dividir
spoil: arruinar
spread: extender
spring: saltar
stand: estar de pie
stand up: levantarse
start: empezar, comenzar
stay: quedarse
steal: robar
stick: pegar
sting: picar
stink: apestar
stop: parar, dejar, detener
strike: golpear
strive: esforzarse
study: estudiar
suffer: sufrir
suggest: sugerir
support: apoyar
suppose: suponer
surprise: sorprender
swear: jurar
sweep: barrer
swell: hincharse
swim: nadar
swing: balancear
take: tomar, llevar
take off: quitarse
take out: sacar
talk: hablar
taste: probar
teach: enseñar
tear: rasgar
tell: contar, decir
thank: agradecer
think: pensar, creer
throw: lanzar, tirar
thrust: empujar
tie: atar
touch: tocar
train: entrenar
translate: traducir
travel: viajar
tread: pisar
tremble: temblar
trust: confiar
try: intentar, tratar, probar
turn: girar
turn off: apagar
turn on: encender
twist: torcer
undergo: sufrir, experimentar
understand: entender, comprender
undertake: emprender
undo: deshacer
unite: unir
uphold: sostener
upset: disgustar
use: usar, utilizar
value: valorar
visit: visitar
vote: votar
wait: esperar
wake: despertar
wake up: despertarse
walk: caminar, andar
want: querer
warn: advertir
wash: lavar
waste: desperdiciar
watch: mirar, ver
water: regar
wear: llevar
weave: tejer
wed: casarse
weep: llorar
weigh: pesar
wet: mojar
whisper: susurrar
win: ganar
wind: enrollar
wish: desear
withdraw: retirar
withhold: retener
withstand: resistir
wonder: preguntarse
work: trabajar
worry: preocuparse
wound: herir
wring: escurrir
write: escribir
yawn: bostezar
`;

/** Spanish infinitives by English base form. */
export const translations: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [english = '', spanish = ''] = line.split(': ');
      return [english, spanish.split(', ')];
    }),
);

/** What must be known to use a Spanish verb whose construction is another than in English. */
export const usage: ReadonlyMap<string, string> = new Map([
  ['gustar', 'gustar: the thing that is liked is the subject (me gusta = I like it)'],
  ['doler', 'doler: what hurts is the subject (me duele = it hurts me)'],
  ['importar', 'importar: what matters is the subject (me importa = I mind it)'],
]);
