import { describe, expect, it } from 'vitest';
import { persons } from '../english/tense.ts';
import { spanishKey } from '../fixtures/spanish-forms.ts';
import { conjugateSpanish } from './conjugate.ts';
import { translations } from './translate.ts';

describe('Spanish conjugation', () => {
  it('is compared with more than 750 expected forms', () => {
    expect(spanishKey.flatMap(({ forms }) => forms).length).toBeGreaterThan(750);
  });

  it.each(spanishKey)('$infinitive, $tense: $forms', ({ infinitive, tense, forms }) => {
    const conjugated = conjugateSpanish(infinitive)[tense];
    expect(persons.map((person) => conjugated[person])).toEqual(forms);
  });

  it.each(
    `hablar hablando hablado, comer comiendo comido, vivir viviendo vivido, ir yendo ido, ser siendo sido,
    leer leyendo leído, creer creyendo creído, caer cayendo caído, traer trayendo traído, oír oyendo oído,
    construir construyendo construido, huir huyendo huido, reír riendo reído, sonreír sonriendo sonreído,
    dormir durmiendo dormido, morir muriendo muerto, sentir sintiendo sentido, pedir pidiendo pedido,
    seguir siguiendo seguido, decir diciendo dicho, venir viniendo venido, poder pudiendo podido, hacer haciendo hecho,
    poner poniendo puesto, proponer proponiendo propuesto, ver viendo visto, abrir abriendo abierto,
    cubrir cubriendo cubierto, descubrir descubriendo descubierto, escribir escribiendo escrito,
    describir describiendo descrito, romper rompiendo roto, volver volviendo vuelto, devolver devolviendo devuelto,
    resolver resolviendo resuelto, imprimir imprimiendo impreso/imprimido, freír friendo frito/freído,
    satisfacer satisfaciendo satisfecho, teñir tiñendo teñido`
      .split(/,\s+/)
      .map((line) => line.split(' ')),
  )('%s: gerund %s, participle %s', (infinitive = '', gerundio, participio) => {
    expect(conjugateSpanish(infinitive)).toMatchObject({ gerundio, participio });
  });

  it.each(
    `hablar habla hablemos hablad, comer come comamos comed, vivir vive vivamos vivid, ser sé seamos sed,
    ir ve vamos id, decir di digamos decid, hacer haz hagamos haced, poner pon pongamos poned, salir sal salgamos salid,
    tener ten tengamos tened, venir ven vengamos venid, mantener mantén mantengamos mantened,
    proponer propón propongamos proponed, dar da demos dad, estar está estemos estad, saber sabe sepamos sabed,
    oír oye oigamos oíd, ver ve veamos ved, traer trae traigamos traed, pagar paga paguemos pagad,
    buscar busca busquemos buscad, empezar empieza empecemos empezad, jugar juega juguemos jugad,
    volver vuelve volvamos volved, dormir duerme durmamos dormid, sentir siente sintamos sentid,
    pedir pide pidamos pedid, seguir sigue sigamos seguid, conocer conoce conozcamos conoced, coger coge cojamos coged,
    construir construye construyamos construid, reír ríe riamos reíd, predecir predice predigamos predecid`
      .split(/,\s+/)
      .map((line) => line.split(' ')),
  )('%s: the imperatives are %s, %s, %s', (infinitive = '', tú, nosotros, vosotros) => {
    expect(conjugateSpanish(infinitive).imperativo).toEqual({ '2sg': tú, '1pl': nosotros, '2pl': vosotros });
  });
});

describe('the table of translations', () => {
  it('has well over 150 verbs', () => {
    expect(translations.size).toBeGreaterThan(400);
  });

  it('contains only Spanish infinitives, without duplicates per verb', () => {
    for (const infinitives of translations.values()) {
      expect(new Set(infinitives).size).toBe(infinitives.length);
      for (const infinitive of infinitives) expect(infinitive).toMatch(/^[a-záéíóúñü]*[aeií]r(?:se)?(?: [a-z ]+)?$/);
    }
  });
});
