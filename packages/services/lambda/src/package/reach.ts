import { readFile } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'
import type { OnResolveArgs, Plugin, PluginBuild } from 'esbuild'

/** An import in the function's own code, and the folder of the importing file. */
export interface RootImport {
  readonly specifier: string
  readonly from: string
}

/** A file that the function may load, with its imports. */
export interface ReachedFile {
  /** Absolute path with links resolved. */
  readonly path: string
  /** Import specifiers as written. */
  readonly imports: readonly string[]
  /** Whether it loads modules by computed names. */
  readonly isComputed: boolean
  readonly text: string
}

const CODE: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.json'])
/** A call whose first argument is neither a plain string nor a template without values. */
const COMPUTED = /\b(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*(?:[^\s'"`)]|`[^`]*\$\{)/

const ROOT = /^vid-root:(\d+)$/

/** Whether an import is never executed. */
type IsIdle = (request: Pick<OnResolveArgs, 'importer' | 'kind'>) => boolean

/** Follows imports into packages; an unresolved import is optional, or the check of the package reports it. */
const following = (roots: readonly RootImport[], isIdle: IsIdle): Plugin => ({
  name: 'vid-reach',
  setup(build: PluginBuild) {
    const follow = async (specifier: string, resolveDir: string, kind: OnResolveArgs['kind'], importer: string) => {
      const resolved = await build.resolve(specifier, { resolveDir, kind, importer, pluginData: true })
      return resolved.errors.length > 0 || resolved.external
        ? { path: specifier, external: true }
        : { path: resolved.path, namespace: resolved.namespace }
    }
    build.onResolve({ filter: ROOT }, ({ path, kind }) => {
      const root = roots[Number(ROOT.exec(path)?.[1])] as RootImport
      return follow(root.specifier, root.from, kind, '')
    })
    build.onResolve({ filter: /.*/ }, (request) => {
      if (request.pluginData === true || request.kind === 'entry-point') return undefined
      if (isIdle(request)) return { path: request.path, external: true }
      return follow(request.path, request.resolveDir, request.kind, request.importer)
    })
    build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) =>
      CODE.has(extname(path)) ? undefined : { contents: '', loader: 'empty' },
    )
  },
})

const readGraph = async (roots: readonly RootImport[], isIdle: IsIdle): Promise<readonly ReachedFile[]> => {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    stdin: { contents: roots.map((_, index) => `import 'vid-root:${index}'`).join('\n'), resolveDir: '/' },
    absWorkingDir: '/',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    // Node's conditions, without those of bundlers.
    conditions: [],
    mainFields: ['main'],
    outdir: '/out',
    logLevel: 'silent',
    plugins: [following(roots, isIdle)],
  })
  const files = Object.entries(metafile.inputs).filter(([path]) => path !== '<stdin>')
  return Promise.all(
    files.map(async ([path, { imports }]) => {
      const importer = resolve('/', path)
      const run = imports.filter(({ kind }) => !isIdle({ importer, kind: kind as OnResolveArgs['kind'] }))
      const text = CODE.has(extname(importer)) ? await readFile(importer, 'utf8') : ''
      const names = run.map((imported) => imported.original ?? imported.path)
      return { path: importer, imports: names, isComputed: COMPUTED.test(text), text }
    }),
  )
}

/** The code of the function: its entry point and the imports of the config. */
export interface FunctionRoots {
  readonly start: RootImport
  /** Absolute folder of the entry point's package, links resolved. */
  readonly folder: string
  readonly config: readonly RootImport[]
}

/**
 * Finds all package files that the function may load, by imports that can be determined statically. A config may import
 * code that starts renders; it is packaged with the function and loaded, but never run there.
 */
export const followImports = async ({ start, folder, config }: FunctionRoots): Promise<readonly ReachedFile[]> => {
  const run = await readGraph([start], () => false)
  const isRun = new Set(run.map(({ path }) => path))
  const isIdleFile = (path: string) => path.startsWith(folder + sep) && !isRun.has(path)
  const files = await readGraph(
    [start, ...config],
    ({ importer, kind }) => kind === 'dynamic-import' && isIdleFile(importer),
  )
  return files.map((file) => (isIdleFile(file.path) ? { ...file, text: '', isComputed: false } : file))
}
