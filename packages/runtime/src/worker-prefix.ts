const SEEN = 'Symbol.for("vid.worker")'

/** What a worker's script begins with, on its first line, so that the lines of what follows keep their numbers. */
export const workerPrefix = (clock: string, isModule: boolean): string => {
  // What a module imports is asked for as a worker too.
  const once = `if(!globalThis[${SEEN}]){globalThis[${SEEN}]=1;${clock}}`
  // What a module imports runs before it, in the order in which it is written.
  return isModule ? `import "data:text/javascript;base64,${btoa(once)}";` : once
}
