import { realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const { cache: loadedCommonJs } = createRequire(import.meta.url)

/**
 * Keeps an error of an import from being reported twice: when a CommonJS module throws that an ES module imports, Node 20
 * also rejects a promise that nothing can handle, which would end the process.
 */
const handleRepeated = async (thrown: unknown): Promise<void> => {
  const listen = (reason: unknown) => {
    // Another rejection ends the process as it would without this listener.
    if (reason !== thrown && process.listenerCount('unhandledRejection') === 1) throw reason
  }
  process.on('unhandledRejection', listen)
  await nextTurn()
  process.off('unhandledRejection', listen)
}

/** The default export of a JavaScript file; with a `version`, Node loads the file again that it has loaded without. */
export const importModule = async (file: string, version = ''): Promise<unknown> => {
  try {
    const { href } = pathToFileURL(file)
    // Of CommonJS, Node would give the module of that file again, whatever the version.
    if (version) delete loadedCommonJs[await realpath(file)]
    return ((await import(version ? `${href}?version=${version}` : href)) as { default?: unknown }).default
  } catch (thrown) {
    await handleRepeated(thrown)
    throw thrown
  }
}
