import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import type { OnResolveArgs, Plugin, PluginBuild } from 'esbuild'

/** An import of the function's own code, and the folder that it stands in. */
export interface RootImport {
  readonly specifier: string
  readonly from: string
}

/** A file that the function may load, and what it imports. */
export interface ReachedFile {
  /** Absolute, links resolved. */
  readonly path: string
  /** Imports by their names, as they stand there. */
  readonly imports: readonly string[]
  /** Whether it loads modules whose names are computed. */
  readonly isComputed: boolean
  readonly text: string
}

const CODE: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.json'])
/** A call whose first argument is neither a plain text nor a template without values. */
const COMPUTED = /\b(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*(?:[^\s'"`)]|`[^`]*\$\{)/

/** The SDK starts renders; the function only does them. */
const isNeverLoaded = ({ path, kind }: OnResolveArgs): boolean =>
  path === '@vid/lambda' && kind === 'dynamic-import'

const ROOT = /^vid-root:(\d+)$/

/** Follows imports into packages; what cannot be found is optional, or is found missing when the package is checked. */
const following = (roots: readonly RootImport[]): Plugin => ({
  name: 'vid-reach',
  setup(build: PluginBuild) {
    const follow = async (
      specifier: string,
      resolveDir: string,
      kind: OnResolveArgs['kind'],
      importer: string,
    ) => {
      const found = await build.resolve(specifier, { resolveDir, kind, importer, pluginData: true })
      return found.errors.length > 0 || found.external
        ? { path: specifier, external: true }
        : { path: found.path, namespace: found.namespace }
    }
    build.onResolve({ filter: ROOT }, ({ path, kind }) => {
      const root = roots[Number(ROOT.exec(path)?.[1])] as RootImport
      return follow(root.specifier, root.from, kind, '')
    })
    build.onResolve({ filter: /.*/ }, (asked) => {
      if (asked.pluginData === true || asked.kind === 'entry-point') return undefined
      if (isNeverLoaded(asked)) return { path: asked.path, external: true }
      return follow(asked.path, asked.resolveDir, asked.kind, asked.importer)
    })
    build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) =>
      CODE.has(extname(path)) ? undefined : { contents: '', loader: 'empty' },
    )
  },
})

/** All files of packages that the code of the function may load, by imports that a tool can read. */
export const followImports = async (roots: readonly RootImport[]): Promise<readonly ReachedFile[]> => {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    stdin: { contents: roots.map((_, index) => `import 'vid-root:${index}'`).join('\n'), resolveDir: '/' },
    absWorkingDir: '/',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    // Those of Node, without those of bundlers.
    conditions: [],
    mainFields: ['main'],
    outdir: '/out',
    logLevel: 'silent',
    plugins: [following(roots)],
  })
  const files = Object.entries(metafile.inputs).filter(([path]) => path !== '<stdin>')
  return Promise.all(
    files.map(async ([path, { imports }]) => {
      const file = resolve('/', path)
      const text = CODE.has(extname(file)) ? await readFile(file, 'utf8') : ''
      const names = imports.map((each) => each.original ?? each.path)
      return { path: file, imports: names, isComputed: COMPUTED.test(text), text }
    }),
  )
}

/** Folders of packages from a file upwards, the nearest first. */
export const foldersAbove = (file: string): string[] => {
  const above = dirname(file)
  return above === file ? [] : [above, ...foldersAbove(above)]
}
