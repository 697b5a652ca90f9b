// Takes a picture of each folder of `examples/` by a real render, and writes examples/README.md. Needs a build.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'
import { path } from '../../../../scripts/workspaces.mjs'

/** When each composition looks as it does in memory, in seconds. */
const MOMENTS = {
  blank: 2,
  title: 4,
  'lower-third': 3,
  'product-teaser': 3,
  'data-chart': 5,
  captions: 6.2,
  'social-post': 2.4,
  'three-d': 2,
  quotes: 6,
  'kinetic-type': 1.15,
  'code-walk': 8,
  'year-in-numbers': 4.2,
  hello: 2.5,
}
/** Pixels of the longer side. */
const SIDE = 640

const { ffmpeg } = await findFfmpeg({ signal: new AbortController().signal })
const vid = (...args) =>
  execFileSync(process.execPath, [path('packages/engine/cli/bin/vid.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
const { templates } = JSON.parse(vid('init', '--list', '--json'))
const scratch = mkdtempSync(join(tmpdir(), 'example-pictures-'))

const takePicture = (name, seconds) => {
  const stills = join(scratch, name)
  vid('snapshot', path(`examples/${name}`), '--at', `${seconds}s`, '-o', stills, '--quiet')
  const still = join(stills, readdirSync(stills)[0])
  const scale = `scale='if(gt(iw,ih),${SIDE},-2)':'if(gt(iw,ih),-2,${SIDE})':flags=lanczos`
  execFileSync(ffmpeg, [
    '-v',
    'error',
    '-y',
    '-i',
    still,
    '-vf',
    scale,
    '-q:v',
    '4',
    path(`examples/pictures/${name}.jpg`),
  ])
}

const sizeOf = (name) => {
  const page = readFileSync(path(`examples/${name}/index.html`), 'utf8')
  const [width, height] = ['width', 'height'].map((side) => new RegExp(`data-${side}="(\\d+)"`).exec(page)[1])
  return `${width} × ${height}`
}

const row = ({ name, about, format, batch }) => {
  const more = [...(format ? [`\`--format ${format}\``] : []), ...(batch ? [`\`--batch ${batch}\``] : [])]
  const notes = [`**[${name}](${name})**`, about, [sizeOf(name), ...more].join(', ')].join('<br>')
  return `| <img src="pictures/${name}.jpg" alt="A frame of ${name}" width="320"> | ${notes} |`
}

const names = process.argv.slice(2)
for (const { name } of templates) if (names.length === 0 || names.includes(name)) takePicture(name, MOMENTS[name])
writeFileSync(
  path('examples/README.md'),
  [
    '# Examples',
    '',
    'Each folder is a whole composition, and a template: `npx vid init my-video --template title` begins with a copy of it. To render one: `npx vid render examples/title`. The pictures are frames of real renders, made by `npm run lab -- example-pictures`; the music, the footage and the talk are made by `packages/engine/cli/lab/example-media.mjs`.',
    '',
    '| | |',
    '| --- | --- |',
    ...templates.map(row),
    '',
  ].join('\n'),
)
rmSync(scratch, { recursive: true })
