/** Tells how high the page is, at first and whenever that changes, until it is stopped. */
export function tellSize(tell: (height: number) => void): () => void {
  let told = 0;
  let frame = 0;
  const measure = (): void => {
    frame = 0;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told || height === 0) return;
    told = height;
    tell(height);
  };
  const observer = new ResizeObserver(() => {
    // Once for each time that the page is drawn, however much changes.
    if (frame === 0) frame = requestAnimationFrame(measure);
  });
  observer.observe(document.body);
  measure();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}
