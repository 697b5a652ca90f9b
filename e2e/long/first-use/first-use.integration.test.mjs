// The README's first command and every command of the start page, as they are written: by another user where that is
// possible, with an empty home folder, in a folder with a space. The clone is a copy of this repository as it is installed:
// `npm run lab -- first-use-check -- --only clone` begins with `git clone` and `npm ci`.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyClone, otherUser } from './clone.mjs'
import { makeNewcomer } from './newcomer.mjs'
import { linesOf } from './pages.mjs'
import { installedReadme, startPage } from './steps.mjs'
import { tryStep } from './try-step.mjs'

const STEP_MS = 600_000

/** A fifth of the frames: `npm run lab -- first-use-check` has all of them. */
const FEW_FRAMES = 'export default { render: { fps: 6 } }\n'

/** The lines of the start page, by somebody who sets another frame rate before they look at their video. */
const startWithFewFrames = () =>
  startPage().map((step) =>
    step.line === 'npx vid preview' ? { ...step, files: { [`${step.folder}/vid.config.ts`]: FEW_FRAMES } } : step,
  )

// What a machine without a sandbox or a GPU warns of is true there.
const MACHINE = /^(?:warning VID_|npm warn)/

const work = realpathSync(mkdtempSync(join(tmpdir(), 'vid first use ')))
let newcomer

beforeAll(() => {
  chmodSync(work, 0o755)
  const programs = [dirname(process.execPath)]
  newcomer = makeNewcomer(work, { name: 'a newcomer', uid: otherUser(work), node: programs[0], programs })
  copyClone(newcomer.projects, newcomer.uid)
}, STEP_MS)
afterAll(() => rmSync(work, { recursive: true, force: true }), STEP_MS)

test('the project of the README is that of the start page', () => {
  const words = (page) => linesOf(page).flatMap((line) => line.split(' && '))
  const [first, ...others] = words('docs/start.md')
  expect(first).toBe('npx vid init ../my-film --template title')
  const readme = words('README.md')
  const start = readme.indexOf(first)
  expect(readme.slice(start, start + 4)).toEqual([first, ...others.slice(0, 3)])
})

// Each line goes on from the one before.
describe('the lines of the pages', { shuffle: false }, () => {
  test.each([...installedReadme(), ...startWithFewFrames()])(
    '$line',
    async (step) => {
      const problems = await tryStep(newcomer, { ...step, expects: MACHINE }, join(work, 'preview.png'))
      expect(problems).toEqual([])
    },
    STEP_MS,
  )
})
