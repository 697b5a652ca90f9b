// Makes a workspace package from a template: npm run lab -- new <role> <name>.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { libraryVersions, pluginConfig, pluginRoles, pluginSources } from '../packages/engine/cli/dist/index.js'
import { path, workspaces } from './workspaces.mjs'

const stop = (message) => {
  console.error(message)
  process.exit(2)
}
const [role = '', word = ''] = process.argv.slice(2)
const facts = Object.hasOwn(pluginRoles, role) && pluginRoles[role]
if (!facts)
  stop(
    `unknown role "${role}"; npm run lab -- new <role> <name>, where a role is ${Object.keys(pluginRoles).join(', ')}`,
  )
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(word))
  stop(`the name must be lower-case words joined by hyphens; got "${word}"`)

const folder = role === 'preset' ? `presets/${word}` : `plugins/${facts.prefix}-${word}`
if (existsSync(path(folder))) stop(`${folder} exists already`)
const packageName = `@vid/${facts.prefix}-${word}`
const all = workspaces()
const { version } = all.find(({ folder }) => folder === 'packages/base/kernel').manifest

const write = (file, text) => {
  mkdirSync(dirname(path(`${folder}/${file}`)), { recursive: true })
  writeFileSync(path(`${folder}/${file}`), text)
}
const json = (value) => `${JSON.stringify(value, null, 2)}\n`
const { files, description } = await pluginSources({ role, word, packageName })
const versions = (names) => Object.fromEntries(names.map((name) => [name, libraryVersions[name] ?? version]))
const usesTestkit = files['src/index.test.ts'].includes('@vid/testkit')

for (const [file, text] of Object.entries(files)) write(file, text)
write(
  'package.json',
  json({
    name: packageName,
    version,
    description,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.19' },
    exports: {
      '.': { development: './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    },
    files: ['dist', '!dist/**/*.tsbuildinfo'],
    dependencies: versions(facts.needs),
    ...(usesTestkit && { devDependencies: versions(['@vid/testkit']) }),
  }),
)
const references = all.filter(({ manifest }) => facts.needs.includes(manifest.name))
write(
  'tsconfig.json',
  json({
    extends: '../../tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist' },
    include: ['src'],
    exclude: ['src/**/*.test.ts', 'src/**/fixtures'],
    references: references.map(({ folder }) => ({ path: `../../${folder}` })),
  }),
)
write('README.md', `# ${packageName}\n\n${description}\n\n\`\`\`ts\n${pluginConfig(role, word, packageName)}\`\`\`\n`)

const root = JSON.parse(readFileSync(path('tsconfig.json'), 'utf8'))
root.references = [...root.references, { path: folder }].sort((a, b) => (a.path < b.path ? -1 : 1))
writeFileSync(path('tsconfig.json'), json(root))
execFileSync(path('node_modules/.bin/biome'), ['check', '--write', path(folder), path('tsconfig.json')], {
  stdio: 'ignore',
})
console.log(`${folder} is made; next: npm install && npm test -- ${folder}`)
