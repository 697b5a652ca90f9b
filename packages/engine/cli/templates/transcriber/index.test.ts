import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder, transcriberSuite, wavOf } from '@vid/testkit'
import { expect, test } from 'vitest'
import transcriber from './index.ts'

transcriberSuite(transcriber, {})

test('what is heard becomes a passage', async () => {
  const workDir = await scratchFolder()
  const file = join(workDir, 'sound.wav')
  const isHeard = (time: number) => (time >= 0.5 && time < 1) || time >= 1.5
  await writeFile(
    file,
    wavOf((time) => (isHeard(time) ? 0.5 : 0), { seconds: 2, rate: 16_000 }),
  )
  const { transcribe, options } = transcriber({ text: 'music' })
  expect(await transcribe({ file }, { options, signal: new AbortController().signal, workDir })).toEqual({
    cues: [
      { start: 0.5, end: 1, text: 'music' },
      { start: 1.5, end: 2, text: 'music' },
    ],
  })
})
