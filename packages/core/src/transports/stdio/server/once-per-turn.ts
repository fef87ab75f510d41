/** Makes a function that may be called many times in a turn of the event loop: the work is done once, at its end. */
export function oncePerTurn(work: () => void): () => void {
  let isDue = false;

  function onTurn(): void {
    isDue = false;
    work();
  }

  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(onTurn);
  };
}
