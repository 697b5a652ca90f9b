import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder, speakerSuite } from '@vid/testkit'
import { expect, test } from 'vitest'
import speaker from './index.ts'

speakerSuite(speaker, {})

test('words last as long as they are', async () => {
  const workDir = await scratchFolder()
  const path = join(workDir, 'speech.wav')
  const { speak, options } = speaker({ speed: 10 })
  const spoken = await speak({ text: 'Hi there', path }, { options, signal: new AbortController().signal, workDir })
  expect(spoken.words).toEqual([
    { text: 'Hi', start: 0, end: 0.2 },
    { text: 'there', start: 0.3, end: 0.8 },
  ])
  expect((await stat(path)).size).toBe(44 + 0.9 * 24_000 * 2)
})
