import { packageOrigin } from '@vid/system/origin'
import { commandVersion } from '../../beside.ts'
import { allowScripts } from '../init/project-files.ts'
import { type PluginRole, type PluginRoleFacts, pluginRoles, slotImports } from './plugin-roles.ts'
import { examplePage, type PluginName, pluginSources } from './plugin-template.ts'

/** Versions of the dependencies of a new package; a test keeps them equal to those of this repository. */
export const libraryVersions: Readonly<Record<string, string>> = {
  '@types/node': '^20.19.43',
  'puppeteer-core': '^24.43.1',
  typescript: '^7.0.2',
  vitest: '^4.1.12',
}

const KERNEL = '@vid/kernel'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const compiler = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src', 'vid.config.ts'],
}

const compilerForBuild = {
  extends: './tsconfig.json',
  compilerOptions: { rootDir: 'src', outDir: 'dist', noEmit: false },
  include: ['src'],
  exclude: ['src/**/*.test.ts'],
}

/** vitest reads linked packages as it reads those of their repository, whose `vitest.config.ts` says the same. */
const LINKED_TESTS = `// The packages of vid are links to a clone, and clipanion's ES modules import a folder, which only a bundler can resolve.
export default { test: { server: { deps: { inline: ['clipanion'] } } } }
`

const identifierOf = (words: string) => words.replaceAll(/-(.)/g, (_, character: string) => character.toUpperCase())

/** A config that uses a plugin, imported from `from`. */
export const pluginConfig = (role: PluginRole, word: string, from: string): string => {
  const { slot, prefix }: PluginRoleFacts = pluginRoles[role]
  const identifier = identifierOf(`${prefix}-${word}`)
  const filled = slot.replaceAll(/\bNAME\b/g, identifier).replaceAll(/\bWORD\b/g, word)
  const key = word.includes('-') ? filled.replace(`{ ${word}:`, `{ '${word}':`) : filled
  return [
    ...slotImports(slot),
    `import ${identifier} from '${from}'`,
    '',
    `export default defineConfig({ ${key} })`,
    '',
  ].join('\n')
}

/** Files of a package of its own in a folder (absolute): source, tests, an example that renders, and how it is built. */
export const pluginPackage = async (name: PluginName, folder: string): Promise<Readonly<Record<string, string>>> => {
  const facts: PluginRoleFacts = pluginRoles[name.role]
  const { files, description } = await pluginSources(name)
  const version = `^${await commandVersion()}`
  const origin = packageOrigin()
  const versions = (names: readonly string[]) =>
    Object.fromEntries(
      [...names].sort().map((name) => [name, libraryVersions[name] ?? origin.stated(name, version, folder)]),
    )
  // A second kernel would be a second set of contracts: a project's one is used.
  const needs = facts.needs.filter((need) => need !== KERNEL)
  const peers = facts.needs.filter((need) => need === KERNEL)
  const tools = ['@types/node', '@vid/cli', '@vid/config', '@vid/deliver-file', '@vid/testkit']
  const development = [...tools, 'typescript', 'vitest'].filter((tool) => !facts.needs.includes(tool))
  return {
    ...files,
    'package.json': json({
      name: name.packageName,
      version: '0.1.0',
      description,
      license: 'MIT',
      keywords: ['vid', 'vid-plugin', `vid-${facts.prefix}`],
      type: 'module',
      engines: { node: '>=20.19' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      files: ['dist'],
      scripts: {
        build: 'tsc -p tsconfig.build.json',
        check: 'tsc',
        test: 'vitest run',
        example: 'vid render example',
        prepack: 'npm run build',
      },
      ...(needs.length > 0 && { dependencies: versions(needs) }),
      ...(peers.length > 0 && { peerDependencies: Object.fromEntries(peers.map((name) => [name, version])) }),
      devDependencies: versions([...development, ...peers]),
      allowScripts,
    }),
    'tsconfig.json': json(compiler),
    'tsconfig.build.json': json(compilerForBuild),
    ...(origin.isClone && { 'vitest.config.ts': LINKED_TESTS }),
    'vid.config.ts': pluginConfig(name.role, name.word, './src/index.ts'),
    'example/index.html': await examplePage(),
    '.gitignore': 'node_modules/\ndist/\nrenders/\ncopies/\n',
    'README.md': [
      `# ${name.packageName}`,
      '',
      description,
      '',
      '```ts',
      `${pluginConfig(name.role, name.word, name.packageName)}\`\`\``,
      '',
    ].join('\n'),
  }
}
