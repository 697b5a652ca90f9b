import { readHere } from '@vid/kernel'
import { expect, test } from 'vitest'
import { cueBlocksTask } from './cue-blocks.ts'
import { readVtt } from './read-vtt.ts'
import { writeVtt } from './write-vtt.ts'

const { signal } = new AbortController()
const read = (vtt: string) => readHere(cueBlocksTask, { entry: 'index.html', vtt }, signal)

test('the blocks of a text are the cues of the same text written again, with their times', async () => {
  const vtt = `WEBVTT

first
00:00:01.000 --> 00:00:02.500 line:0 align:start
<v Ana>Good <00:00:01.500>morning &amp; welcome

00:00:02.000 --> 00:00:04.000
two
lines
`
  const result = readVtt(vtt)
  if (!('captions' in result)) throw new Error(result.problem.reason)
  const { starts, ends, blocks } = (await read(vtt)) as Exclude<Awaited<ReturnType<typeof read>>, { problem: unknown }>
  expect(`${['WEBVTT', ...blocks].join('\n\n')}\n`).toBe(writeVtt({ cues: result.captions.cues }))
  expect([[...starts], [...ends]]).toEqual([
    [1, 2],
    [2.5, 4],
  ])
})

test('a text that cannot be read has a problem with its line', async () => {
  expect(await read('no captions')).toMatchObject({ problem: { line: 1 } })
})
