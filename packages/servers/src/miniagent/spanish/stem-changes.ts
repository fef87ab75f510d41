/** What becomes of a stem's last vowel under stress. */
export type StemChange = 'ie' | 'ue' | 'i' | 'ú' | 'í';

const lists: Readonly<Record<StemChange, string>> = {
  ie: `acertar adquirir advertir apretar arrepentir atravesar calentar cerrar comenzar confesar consentir convertir
    defender despertar divertir empezar encender entender enterrar extender fregar gobernar helar herir hervir
    invertir malentender manifestar mentir merendar negar nevar pensar perder preferir querer recomendar referir regar
    requerir reventar sembrar sentar sentir serrar sugerir temblar tender tener tropezar venir`,
  ue: `acordar acostar almorzar apostar aprobar avergonzar cocer colar colgar comprobar contar costar demostrar devolver
    doler dormir encontrar envolver esforzar forzar jugar llover moler morder morir mostrar mover poder probar
    recordar renovar resolver rodar rogar soltar sonar soñar torcer tostar volar volver`,
  i: `competir conseguir corregir decir despedir elegir freír impedir medir pedir perseguir predecir rendir
    repetir reír reñir seguir servir sonreír teñir vestir`,
  ú: 'acentuar actuar aullar continuar efectuar evaluar graduar reunir situar',
  í: `aislar ampliar confiar criar desafiar desviar enfriar enviar espiar esquiar fotografiar guiar prohibir
    resfriar vaciar variar`,
};

const changes: ReadonlyMap<string, StemChange> = new Map(
  (Object.entries(lists) as [StemChange, string][]).flatMap(([change, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((infinitive) => [infinitive, change] as const),
  ),
);

/** How a verb changes its stem under stress, if it does. */
export function stemChangeOf(infinitive: string): StemChange | undefined {
  return changes.get(infinitive);
}

const stressed: Readonly<Record<StemChange, readonly [vowel: RegExp, becomes: string]>> = {
  ie: [/[ei](?=[^aeiouáéíóú]*$)/, 'ie'],
  ue: [/[ou](?=[^aeiouáéíóú]*$)/, 'ue'],
  i: [/e(?=[^aeiouáéíóú]*u?$)/, 'i'],
  ú: [/u(?=[^aeiouáéíóú]*$)/, 'ú'],
  í: [/i(?=[^aeiouáéíóú]*$)/, 'í'],
};

/** The stem as it is under stress. */
export function stressedStem(stem: string, change: StemChange | undefined): string {
  if (change === undefined) return stem;
  const [vowel, becomes] = stressed[change];
  // After g the u of `ue` is heard only with its two dots.
  return stem.replace(/gonz$/, 'güenz').replace(vowel, becomes);
}

/** The stem of verbs in -ir where no stress is on it, but a diphthong or `a` follows: `sint` of `sintió`. */
export function weakenedStem(stem: string, change: StemChange | undefined): string {
  if (change === 'ie' || change === 'i') return stem.replace(/e(?=[^aeiouáéíóú]*u?$)/, 'i');
  if (change === 'ue') return stem.replace(/o(?=[^aeiouáéíóú]*$)/, 'u');
  return stem;
}
