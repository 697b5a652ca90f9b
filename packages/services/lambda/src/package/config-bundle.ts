import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { fail } from '../errors.ts'
import { packageAround } from './installed.ts'
import type { RootImport } from './reach.ts'

/** The user's config bundled into one file, and the packages that it imports. */
export interface ConfigBundle {
  /** File name in the function. */
  readonly name: string
  readonly content: string
  readonly imports: readonly RootImport[]
}

const isPath = (specifier: string): boolean => /^\.{0,2}\//.test(specifier)

/** Keeps installed packages external, except TypeScript ones, which cannot run in the function. */
const ownCodeOnly = (imports: RootImport[]): Plugin => ({
  name: 'vid-config',
  setup(build) {
    build.onResolve({ filter: /.*/ }, async (request) => {
      const { path, kind, resolveDir, importer, pluginData } = request
      if (pluginData === true || kind === 'entry-point') return undefined
      const resolved = await build.resolve(path, { kind, resolveDir, importer, pluginData: true })
      if (resolved.errors.length > 0) return { errors: resolved.errors }
      if (isPath(path) || resolved.external || path.startsWith('#'))
        return { path: resolved.path, external: resolved.external }
      const isInstalled = packageAround(resolved.path) !== undefined
      if (!isInstalled && !/\.[mc]?js$/.test(resolved.path)) return { path: resolved.path }
      imports.push({ specifier: path, from: resolveDir })
      return { path, external: true }
    })
  },
})

/** Bundles a config with the user's own code: files imported by path, and JSON. */
export const bundleConfig = async (file: string | undefined): Promise<ConfigBundle> => {
  // An explicit empty config, so that the search does not continue in the folders above the function.
  if (file === undefined) return { name: 'vid.config.mjs', content: 'export default {}\n', imports: [] }
  if (file.endsWith('.json')) return { name: 'vid.config.json', content: await readFile(file, 'utf8'), imports: [] }
  const { build } = await import('esbuild')
  const imports: RootImport[] = []
  try {
    const { outputFiles } = await build({
      entryPoints: [resolve(file)],
      absWorkingDir: dirname(resolve(file)),
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      legalComments: 'inline',
      logLevel: 'silent',
      outfile: '/vid.config.mjs',
      plugins: [ownCodeOnly(imports)],
    })
    return { name: 'vid.config.mjs', content: outputFiles[0]?.text ?? '', imports }
  } catch (cause) {
    const [first] = (cause as { readonly errors?: readonly { readonly text: string }[] }).errors ?? []
    throw fail('VID_LAMBDA_PACKAGE_CONFIG', { file, reason: first?.text ?? String(cause) }, { cause })
  }
}
