import { runProcess } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { here } from '../support/vid.ts'

/** The lines that `npm run lab -- planted-faults` prints, one for each fault. */
const plant = async (...flags: string[]) => {
  const script = here('long/planted-faults.mjs')
  const printed = await runProcess(process.execPath, [script, ...flags], undefined)
  return printed
    .toString()
    .split('\n')
    .filter((line) => /^(found|missed|none)/.test(line))
}

test('faults at random frames of random pages, which a seed chooses, are found', async () => {
  const lines = await plant('--count', '4', '--seed', '1')
  expect(lines.filter((line) => line.startsWith('found'))).toHaveLength(4)
  expect(lines[0]).toMatch(/^found +container +frame 1 to 44 of 45 +e2e\/projects\/scripted-mute\/index\.html$/)
})
