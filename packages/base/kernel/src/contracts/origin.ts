import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The location of a plugin's code. */
export interface Origin {
  /** The object that its functions come from. */
  readonly definition: object
  /** Absolute paths of the files that defined it, the innermost first. */
  readonly files: readonly string[]
}

// Registered, because a plugin may be defined with another copy of this package.
const ORIGIN = Symbol.for('vid.plugin.origin')

/** Installed programs that load modules besides Node: their files, or the folders of all of them. */
const LOADERS =
  /[\\/]node_modules[\\/](?:\.pnpm[\\/].*)?(?:jiti[\\/]|vite[\\/]dist[\\/]node[\\/]module-runner|vitest[\\/]dist[\\/]module-evaluator)/

/** The module loader; below it in the stack are only the files that imported this one. */
const isLoader = (file: string) => file.startsWith('node:') || LOADERS.test(file)

/** Whether a path lies in an installed package, which its version describes. */
export const isInstalled = (path: string): boolean => path.includes(`${sep}node_modules${sep}`)

const pathOf = (file: string): string => {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file
  } catch {
    return file
  }
}

/** Files of the functions in the current call stack of `callee`, the innermost first, up to the module loader. */
export const callingFiles = (callee: (...args: never[]) => unknown): string[] => {
  const { prepareStackTrace, stackTraceLimit } = Error
  const stack: { readonly stack?: readonly NodeJS.CallSite[] } = {}
  let sites: readonly NodeJS.CallSite[] = []
  try {
    Error.stackTraceLimit = 100
    Error.prepareStackTrace = (_, sites) => sites
    Error.captureStackTrace(stack, callee)
    sites = stack.stack ?? []
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    if (prepareStackTrace) Error.prepareStackTrace = prepareStackTrace
    else Reflect.deleteProperty(Error, 'prepareStackTrace')
  }
  const files = sites.map((site) => site.getFileName()).filter((file) => typeof file === 'string')
  const loader = files.findIndex(isLoader)
  const calling = (loader < 0 ? files : files.slice(0, loader)).map(pathOf)
  // An installed program that calls everything, such as a test runner, is no part of the plugin.
  const last = calling.findLastIndex((file) => !isInstalled(file))
  return [...new Set(last < 0 ? calling : calling.slice(0, last + 1))]
}

/** Notes where a plugin was defined; a copy carries the note. */
export const noteOrigin = <P extends object>(plugin: P, origin: Origin): P =>
  Object.defineProperty(plugin, ORIGIN, { value: origin, configurable: true, enumerable: true })

/** The place where a plugin was defined; undefined if it was not recorded, or if its functions have changed since. */
export const originOf = (plugin: object): Origin | undefined => {
  const origin = (plugin as { readonly [ORIGIN]?: Origin })[ORIGIN]
  if (!origin) return undefined
  const defined = origin.definition as Readonly<Record<string, unknown>>
  const isIntact = Object.entries(plugin).every(([key, value]) => typeof value !== 'function' || value === defined[key])
  return isIntact ? origin : undefined
}
