import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOrigin } from '@vid/system/origin'
import { commandVersion, EXAMPLES, TEMPLATES } from '../../beside.ts'
import type { FolderFiles } from '../../new-folder.ts'
import type { ProjectPlace } from '../../new-project.ts'
import { gsapRules, gsapVersionOf } from './gsap.ts'
import { type Template, type TemplateName, templates } from './templates.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const MAX_NAME_LENGTH = 100

/** A name that npm accepts for a package, from that of a folder. */
export const npmNameOf = (folder: string): string => {
  const plain = folder.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  const words = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  const name = words.slice(0, MAX_NAME_LENGTH)
  // npm refuses these two, and a package that would depend on itself is no use.
  return name === '' || ['node-modules', 'favicon-ico', 'vid'].includes(name) ? `${name || 'my'}-video` : name
}

const readFolder = async (folder: string): Promise<FolderFiles> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return Object.fromEntries(names.map((name, n) => [name.replaceAll('\\', '/'), contents[n] ?? '']))
}

const configOf = ({ format }: Template): string => configText(format ? `{ format: '${format}' }` : '{ fps: 30 }')

/** A config with these settings of a render, written as code. */
export const configText = (render: string): string =>
  [
    // A type alone, so that the project renders before its packages are installed.
    "import type { VidConfig } from '@vid/config'",
    '',
    '// Settings that belong to this video; flags override them, and `npx vid inspect` shows where each comes from.',
    `export default { render: ${render} } satisfies VidConfig`,
    '',
  ].join('\n')

/** The files of every project that do not depend on its composition. */
export const commonFiles = async (): Promise<FolderFiles> => ({
  '.gitignore': 'node_modules/\nrenders/\nsnapshots/\n.vid/\n',
  'AGENTS.md': await readFile(new URL('init/AGENTS.md', TEMPLATES), 'utf8'),
})

/** Packages with an installation script, which npm asks about unless it is answered: they work without it. */
export const allowScripts: Readonly<Record<string, boolean>> = {
  '@ffmpeg-installer/linux-x64': false,
  '@ffprobe-installer/linux-x64': false,
  esbuild: false,
}

/** The lines of a package.json that bring vid into a project. */
export interface VidLines {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts: typeof allowScripts
}

/** The lines of the package.json of a folder (absolute) for this version of vid. */
export const vidLines = async (folder: string): Promise<VidLines> => {
  const version = `^${await commandVersion()}`
  const packages = ['@vid/cli', '@vid/config']
  return {
    devDependencies: Object.fromEntries(packages.map((name) => [name, packageOrigin().stated(name, version, folder)])),
    allowScripts,
  }
}

/** The commands that a project's README and package.json name, with what each does. */
const commandsOf = ({ batch }: Template): readonly (readonly [script: string, command: string, about: string])[] => [
  ['preview', 'vid preview', 'plays it in a browser, where you can change it'],
  ['lint', 'vid lint', 'finds mistakes in the source, with file, line and what to do'],
  ['check', 'vid check', 'finds what is wrong in the composition: text, contrast, picture, motion and sound'],
  ['render', 'vid render', 'makes the video in `renders/`'],
  ['stills', 'vid snapshot', 'makes PNG stills in `snapshots/`'],
  ...(batch
    ? [
        [
          'batch',
          `vid render --batch ${batch.file} -o "renders/{${batch.named}}.mp4"`,
          `makes a video of each row of \`${batch.file}\``,
        ] as const,
      ]
    : []),
]

const readmeOf = (title: string, template: Template): string =>
  [
    `# ${title}`,
    '',
    `A video made of a web page with vid: ${template.about}.`,
    '',
    '```sh',
    'npm install',
    'npm run preview',
    'npm run render',
    '```',
    '',
    '| Command | What it does |',
    '| --- | --- |',
    ...commandsOf(template).map(([script, , about]) => `| \`npm run ${script}\` | ${about} |`),
    '',
    'The words and colours that change from video to video are declared at the top of `index.html`; give other values with `npx vid render --variables \'{"…": "…"}\'`. `AGENTS.md` has the rules of a composition on one page.',
    '',
  ].join('\n')

/** Every file of a new project in a place. */
export const projectFiles = async (
  place: Pick<ProjectPlace, 'name' | 'folder'>,
  name: TemplateName,
): Promise<FolderFiles> => {
  const template: Template = templates[name]
  const composition = await readFolder(fileURLToPath(new URL(name, EXAMPLES)))
  const gsap = await gsapVersionOf(composition)
  return {
    ...composition,
    ...(gsap !== undefined && { '.vidignore': `${gsapRules.join('\n')}\n` }),
    'package.json': json({
      name: npmNameOf(place.name),
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: Object.fromEntries(commandsOf(template).map(([script, command]) => [script, command])),
      ...(gsap !== undefined && { dependencies: { gsap } }),
      ...(await vidLines(place.folder)),
    }),
    'vid.config.ts': configOf(template),
    ...(await commonFiles()),
    'README.md': readmeOf(place.name, template),
  }
}
