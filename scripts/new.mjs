// Makes a workspace package from a template: npm run new <role> <name>.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { path, workspaces } from './workspaces.mjs'

const roles = {
  capture: { folder: 'plugins/capture-', needs: ['kernel'], slot: 'capture: NAME()' },
  encoder: { folder: 'plugins/encoder-', needs: ['kernel'], slot: 'encoders: [NAME()]' },
  target: { folder: 'plugins/target-', needs: ['kernel'], slot: 'targets: { mine: NAME() }' },
  delivery: {
    folder: 'plugins/deliver-',
    needs: ['kernel'],
    slot: "deliveries: [NAME({ folder: '/videos' })]",
  },
  plugin: { folder: 'plugins/plugin-', needs: ['kernel'], slot: 'plugins: [NAME()]' },
  preset: { folder: 'presets/', needs: ['config'], slot: "presets: [NAME()], preset: 'NAME'" },
}

const stop = (message) => {
  console.error(message)
  process.exit(2)
}
const [roleName = '', name = ''] = process.argv.slice(2)
const role = roles[roleName]
if (!role)
  stop(
    `unknown role "${roleName}"; npm run new <role> <name>, where a role is ${Object.keys(roles).join(', ')}`,
  )
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
  stop(`the name must be lower-case words joined by hyphens; got "${name}"`)

const folder = `${role.folder}${name}`
if (existsSync(path(folder))) stop(`${folder} exists already`)
const packageName = roleName === 'preset' ? `@vid/preset-${name}` : `@vid/${folder.slice('plugins/'.length)}`
const { version } = workspaces().find(({ folder }) => folder === 'packages/kernel').manifest

const write = (file, text) => writeFileSync(path(`${folder}/${file}`), text)
const json = (value) => `${JSON.stringify(value, null, 2)}\n`
const template = (file) =>
  readFileSync(path(`scripts/templates/${roleName}/${file}`), 'utf8')
    .replaceAll(/@vid\/[a-z]+-template/g, packageName)
    .replaceAll(/\btemplate\b/g, name)

mkdirSync(path(`${folder}/src`), { recursive: true })
write('src/index.ts', template('index.ts'))
write('src/index.test.ts', template('index.test.ts'))
const [description] = /(?<=\/\*\* ).*(?= \*\/\nexport default)/.exec(template('index.ts'))
write(
  'package.json',
  json({
    name: packageName,
    version,
    description,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.19' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', '!dist/**/*.tsbuildinfo'],
    dependencies: Object.fromEntries(role.needs.map((need) => [`@vid/${need}`, version])),
  }),
)
write(
  'tsconfig.json',
  json({
    extends: '../../tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist' },
    include: ['src'],
    exclude: ['src/**/*.test.ts', 'src/**/fixtures'],
    references: role.needs.map((need) => ({ path: `../../packages/${need}` })),
  }),
)
const identifier = name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())
write(
  'README.md',
  `# ${packageName}

${description}

\`\`\`ts
import { defineConfig } from '@vid/config'
import ${identifier} from '${packageName}'

export default defineConfig({ ${role.slot.replaceAll(/NAME(?=\()/g, identifier).replaceAll('NAME', name)} })
\`\`\`
`,
)

const root = JSON.parse(readFileSync(path('tsconfig.json'), 'utf8'))
root.references = [...root.references, { path: folder }].sort((a, b) => (a.path < b.path ? -1 : 1))
writeFileSync(path('tsconfig.json'), json(root))
execFileSync(path('node_modules/.bin/biome'), ['check', '--write', path(folder), path('tsconfig.json')], {
  stdio: 'ignore',
})
console.log(`${folder} is made; next: npm install && npm test -- ${folder}`)
