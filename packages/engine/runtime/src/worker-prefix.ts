const INSTALLED = 'Symbol.for("vid.worker")'

/** The beginning of a worker's script: a single line without a line break, so that line numbers stay the same. */
export const workerPrefix = (clock: string, isModule: boolean): string => {
  // A module that a worker imports is also requested as a worker script.
  const once = `if(!globalThis[${INSTALLED}]){globalThis[${INSTALLED}]=1;${clock}}`
  // Imports run before the module itself, in the order in which they are written.
  return isModule ? `import "data:text/javascript;base64,${btoa(once)}";` : once
}
