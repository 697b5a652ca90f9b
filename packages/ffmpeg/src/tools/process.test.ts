import { afterEach, expect, test, vi } from 'vitest'
import { runProcess } from './process.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('VID_DEBUG=ffmpeg prints the command line, as a shell takes it, and how the process ended', async () => {
  vi.stubEnv('VID_DEBUG', 'ffmpeg')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await runProcess(process.execPath, ['-e', "process.exitCode = 'a'.length - 1"], undefined)
  const lines = write.mock.calls.map(([text]) => String(text).replace(/^ffmpeg [\d.]+ ms \d+ /, ''))
  expect(lines).toEqual([
    `${process.execPath} -e 'process.exitCode = '\\''a'\\''.length - 1'\n`,
    'ended with 0\n',
  ])
})
