// What somebody types who uses vid for the first time, in order, and what comes of it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleOf, linesOf, placed } from './pages.mjs'

const PROJECT = 'my-film'

/** What a line of the start page makes. */
const results = {
  'npx vid snapshot --at 1s,50%,90%': [`${PROJECT}/snapshots/${PROJECT}/snapshot_50pct.png`],
  'npx vid render': [`${PROJECT}/renders/${PROJECT}.mp4`],
  'npx vid render --format gif --scale 1/4 --fps 12 --quiet -o renders/small.gif': [`${PROJECT}/renders/small.gif`],
  'npx vid render --from 2s --to 4s -o renders/part.mp4': [`${PROJECT}/renders/part.mp4`],
}

/** The config of the start page; nothing is uploaded, for there is no bucket. */
const delivery = {
  folder: PROJECT,
  files: { [`${PROJECT}/vid.config.ts`]: exampleOf('docs/start.md', 'ts') },
  line: 'npx vid inspect --no-plan',
  says: '@vid/deliver-s3',
}

/** `docs/start.md` as it is written; from a clone, it begins in the folder `vid`. */
export const startPage = (origin = 'clone') => {
  const lines = placed(linesOf('docs/start.md', origin), origin === 'clone' ? 'vid' : '.')
  // npx asks before it downloads.
  const steps = lines.map(({ folder, line }) => ({ folder, line: line.replace('npx @vid/', 'npx --yes @vid/') }))
  return [...steps.map((step) => ({ ...step, makes: results[step.line] })), delivery]
}

const HELLO = 'npx vid render examples/hello'

/** What the README shows besides: a composition, and rows for it. */
const shown = {
  'my-film/intro/index.html': exampleOf('README.md', 'html'),
  'my-film/people.json': '[{ "name": "Ada" }, { "name": "Anna" }]',
}

/** The README as it is written, in a fresh clone: its two commands, its project, and the lines about its composition. */
export const readme = () =>
  placed(linesOf('README.md'), 'vid').map((step) => ({
    ...step,
    ...(step.line.endsWith(HELLO) && { makes: ['vid/renders/hello.mp4'] }),
    ...(step.line.includes(' intro ') && { files: shown }),
  }))

/** The first command of the README in a clone that is installed already. */
export const installedReadme = () => {
  const line = linesOf('README.md').find((line) => line.endsWith(HELLO))
  return [{ folder: 'vid', line: line.replace('npm ci && ', ''), makes: ['vid/renders/hello.mp4'] }]
}

/** The first commands of the page about plugins, in a folder of its own beside the clone. */
export const pluginPage = () => {
  const [first, ...others] = placed(linesOf('docs/write-a-plugin.md').slice(0, 6), 'plugins')
  return [{ ...first, files: { 'plugins/.keep': '' } }, ...others]
}

/** The short way: the smallest template, and each command once. */
export const shortWay = [
  {
    folder: '.',
    line: "npx --yes @vid/cli init 'my video'",
    makes: ['my video/index.html'],
    says: "next: cd 'my video' && npm install && npx vid preview",
  },
  { folder: 'my video', line: 'npm install' },
  { folder: 'my video', line: 'npx vid preview' },
  { folder: 'my video', line: 'npm run lint' },
  { folder: 'my video', line: 'npm run render', makes: ['my video/renders/my video.mp4'] },
  { folder: 'my video', line: 'npm run stills', makes: ['my video/snapshots'] },
  { folder: 'my video', line: 'npx vid doctor', says: 'all required checks passed' },
  { folder: 'my video', line: 'source <(npx vid completion bash) && complete -p vid', says: '-F _vid vid' },
]

const OLD_PAGE = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="1" data-fps="24">
<p class="clip" data-start="0" data-duration="1" data-track-index="0">Old</p></div></body></html>`

/** A project of HyperFrames, imported and rendered. */
export const imported = (projects) => {
  mkdirSync(join(projects, 'old video'))
  writeFileSync(join(projects, 'old video/index.html'), OLD_PAGE)
  return [
    { folder: 'my video', line: "npx vid import hyperframes '../old video' ../imported" },
    { folder: 'imported', line: 'npm install' },
    { folder: 'imported', line: 'npx vid render', makes: ['imported/renders/imported.mp4'] },
  ]
}

/** Each template: made, its packages installed, checked, and a little of it rendered. */
export const templates = (names) =>
  names.flatMap((name) => {
    const folder = `${name} video`
    return [
      { folder: 'my video', line: `npx vid init '../${folder}' --template ${name}` },
      { folder, line: 'npm install' },
      { folder, line: 'npx vid lint --strict', says: 'nothing found' },
      {
        folder,
        line: 'npx vid render --from 50% --to 55% --quality draft',
        makesAny: `${folder}/renders/${folder}`,
      },
    ]
  })

/** Those of the files that a step should have made and did not. */
export const missingOf = ({ makes = [], makesAny }, projects) => [
  ...makes.filter((name) => !existsSync(join(projects, name))),
  ...(makesAny && !['mp4', 'webm'].some((format) => existsSync(join(projects, `${makesAny}.${format}`)))
    ? [makesAny]
    : []),
]
