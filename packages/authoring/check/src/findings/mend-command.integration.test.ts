import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import editCommands from '@vid/edit/commands'
import { encodePng, runInFolder, toneFile } from '@vid/testkit'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { type CheckQuestion, compositionOf, makeProject, useFolderChecks } from '../fixtures/projects.ts'
import { mendCommand } from './mend-command.ts'

const { check, renderer } = useFolderChecks()

/** The words that a shell makes of command lines that are joined by `&&`. */
const shellLines = async (text: string): Promise<string[][]> => {
  const script = `vid() { printf '%s\\0' "$@"; printf '\\n\\0'; }; ${text}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  return stdout
    .split('\n\0')
    .filter((line) => line !== '')
    .map((line) => line.split('\0').slice(0, -1))
}

/** Runs a line that was printed, in the folder of the composition. */
const runLine = async (text: string, folder: string): Promise<void> => {
  for (const [group, name, ...words] of await shellLines(text)) {
    const command = editCommands.find(({ path }) => path === `${group} ${name}`)
    if (!command) throw new Error(`no command in ${text}`)
    const { code, stderr } = await runInFolder(command, folder, ...words)
    expect({ text, code, stderr }).toMatchObject({ code: 0 })
  }
}

/** Runs what is printed for each finding of a composition that has it, and expects that nothing is found any more. */
const expectMended = async (folder: string, rules: readonly string[], question: CheckQuestion = {}) => {
  const { findings } = await check(folder, { ...question, only: rules })
  expect([...new Set(findings.map(({ rule }) => rule))].sort()).toEqual([...rules].sort())
  for (const { rule, where, mend } of findings) {
    expect([rule, where.element, mend]).toEqual([rule, where.element, expect.any(Array)])
    await runLine(mendCommand(mend ?? [], { dir: '.' }), folder)
  }
  expect((await check(folder, { ...question, only: rules })).findings).toEqual([])
}

const PICTURES = `#root > p { margin: 0 }
  #dim { left: 90px; top: 30px; color: #2f3b4a }
  .tiny { left: 90px; top: 100px; font-size: 5px }
  #pair { left: 90px; top: 130px; width: 240px; height: 50px }
  #below, #cover { position: absolute; left: 0; top: 0; margin: 0 }
  #cover { width: 150px; height: 50px; background: #46586e }
  #box { left: 90px; top: 200px; width: 170px; height: 50px; overflow: hidden }
  #cut { position: absolute; margin: 0; white-space: nowrap; font-size: 24px }
  #edge { left: 4px; top: 270px }
  #right { right: 4px; bottom: 6px; font-size: 30px }
  #logo { left: 480px; top: 60px; width: 90px; height: 50px }
  #ground { left: 480px; top: 130px; width: 90px; height: 50px; background: url(logo.png) 0 0 / 100% 100% }`

const picture = encodePng({
  width: 100,
  height: 100,
  data: Uint8Array.from({ length: 40_000 }, (_, index) => (index % 4 === 3 ? 255 : (index * 7) % 256)),
})

test('what is printed for texts and pictures mends them', async () => {
  const body = `<p id="dim">Hardly to be read</p>
<p class="tiny">Terms and conditions apply</p>
<div id="pair"><p id="below">Below a surface</p><div id="cover"></div></div>
<div id="box"><p id="cut">Longer than its box</p></div>
<p id="edge">Too near to the edge</p>
<p id="right">At the end</p>
<img id="logo" src="logo.png" alt=""><div id="ground"></div>`
  const folder = await makeProject({
    'index.html': compositionOf(body, { seconds: 0.4, style: PICTURES }),
    'logo.png': picture,
  })
  const rules = ['contrast', 'text-small', 'text-covered', 'text-cut', 'text-safe-area', 'squeezed-image']
  await expectMended(folder, rules)
}, 600_000)

test('what is printed for texts that are scaled mends them at once', async () => {
  const style = `#tiny { left: 90px; top: 30px; margin: 0; font-size: 10px; transform: scale(0.5); transform-origin: 0 0 }
    #small { left: 90px; top: 60px; font-size: 4px; scale: 1.5; transform-origin: 0 0 }
    #double { left: 0; top: 90px; width: 320px; height: 90px; transform: scale(2); transform-origin: 0 0 }
    #far { position: absolute; left: -4px; top: 10px; margin: 0 }
    #box { left: 90px; top: 300px; width: 85px; height: 50px; overflow: hidden; transform: scale(2); transform-origin: 0 0 }
    #cut { position: absolute; margin: 0; white-space: nowrap; font-size: 12px }`
  const body = `<p id="tiny">Small words here</p><p id="small">Other small words</p>
<div id="double"><p id="far">Too near to the edge</p></div>
<div id="box"><p id="cut">Longer than its box</p></div>`
  const folder = await makeProject({ 'index.html': compositionOf(body, { seconds: 0.4, style }) })
  await expectMended(folder, ['text-small', 'text-cut', 'text-safe-area'])
}, 600_000)

longTest(
  'what is printed for clips that end too early or too late mends them',
  async () => {
    const ball = await makeProject({
      'index.html': compositionOf('<p id="ball">o</p>', {
        seconds: 1,
        style: '#ball { animation: go 1s linear } @keyframes go { to { translate: 300px 0 } }',
      }),
    })
    const style = `#mover { left: 20px; top: 20px; width: 30px; height: 30px; background: #fd6; animation: go 1.5s linear both }
    @keyframes go { to { translate: 200px 0 } } #clip { left: 100px; top: 100px; width: 320px; height: 180px }`
    const body = `<div id="mover" data-start="0" data-duration="1"></div>
<video id="clip" src="ball.mp4" data-start="0" data-duration="2" muted></video>`
    const folder = await makeProject({ 'index.html': compositionOf(body, { style }) })
    await renderer().render({ projectDir: ball, output: join(folder, 'ball.mp4') })
    await expectMended(folder, ['cut-animation', 'video-too-short'])
  },
  600_000,
)

const words = '<p style="left: 60px; top: 100px">Here</p>'
/** Few pictures, where sounds are checked. */
const SLOW = { 'vid.config.json': '{ "render": { "fps": 10 } }' }

longTest(
  'what is printed for sound that is too loud mends it',
  async () => {
    const folder = await makeProject({
      'index.html': compositionOf(`${words}<audio id="tone" src="tone.wav" data-start="0" data-volume="2"></audio>`),
      ...SLOW,
    })
    await toneFile(folder, { seconds: 2, onset: 0, level: 0.8 })
    await expectMended(folder, ['clipping'])
    await expectMended(folder, ['loudness'], { loudness: -23 })
  },
  600_000,
)

longTest(
  'what is printed for speech below music mends it',
  async () => {
    const sounds = ['id="voice" src="voice.wav"', 'id="one" src="tone.wav"', 'src="two.wav"']
      .map((attributes) => `\n<audio ${attributes} data-start="0"></audio>`)
      .join('')
    const folder = await makeProject({ 'index.html': compositionOf(`${words}${sounds}`), ...SLOW })
    await toneFile(folder, { seconds: 2, onset: 0, level: 0.1, name: 'voice.wav' })
    await toneFile(folder, { seconds: 2, onset: 0, level: 0.2 })
    await toneFile(folder, { seconds: 2, onset: 0, level: 0.2, name: 'two.wav' })
    await expectMended(folder, ['masked-speech'])
  },
  600_000,
)

test('what is printed for a sound that is cut off mends it', async () => {
  const script = `<script src="gsap.min.js"></script><script>
    const timeline = gsap.timeline({ paused: true }).from('p', { x: -40, duration: 1 })
    window.__timelines = { film: timeline }
  </script>`
  const gsap = createRequire(import.meta.url).resolve('gsap/dist/gsap.min.js')
  const folder = await makeProject({
    'index.html': compositionOf(
      `${words}<audio id="tone" src="tone.wav" data-start="0" data-duration="1"></audio>${script}`,
    ),
    'gsap.min.js': await readFile(gsap, 'utf8'),
  })
  await toneFile(folder, { seconds: 2, onset: 0 })
  await expectMended(folder, ['cut-sound'])
}, 600_000)
