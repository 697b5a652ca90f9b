import { afterEach, expect, test, vi } from 'vitest'
import { findFfmpeg } from './find.ts'
import { runProcess, startProcess } from './process.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('VID_DEBUG=ffmpeg prints the command line, as a shell takes it, and how the process ended', async () => {
  vi.stubEnv('VID_DEBUG', 'ffmpeg')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await runProcess(process.execPath, ['-e', "process.exitCode = 'a'.length - 1"], undefined)
  const lines = write.mock.calls.map(([text]) => String(text).replace(/^ffmpeg [\d.]+ ms \d+ /, ''))
  expect(lines).toEqual([`${process.execPath} -e 'process.exitCode = '\\''a'\\''.length - 1'\n`, 'ended with 0\n'])
})

const run = (script: string) => runProcess('/bin/sh', ['-c', script], undefined)

test.each([
  ['is killed', 'kill -9 $$'],
  ['is told to end', 'kill -TERM $$'],
  ['reaches a limit of the system', 'kill -XFSZ $$'],
  ['ends by a signal that it handles', 'exit 255'],
  ['finds no space', 'echo "[error] av_interleaved_write_frame(): No space left on device" >&2; exit 1'],
  ['finds no space and does not mind', 'echo "Error writing trailer: No space left on device" >&2'],
  ['may not write', 'echo "/tmp/x.source: Permission denied" >&2; exit 1'],
  ['runs out of open files', 'echo "/tmp/x: Too many open files" >&2; exit 1'],
  [
    'says much after it found no space',
    'echo "x: No space left on device" >&2; for i in $(seq 2000); do echo "[error] damaged" >&2; done; exit 1',
  ],
])('a program that %s fails because of the machine', async (_name, script) => {
  await expect(run(script)).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'machine' })
})

test.each([
  ['crashes', 'kill -SEGV $$'],
  ['finds its input damaged', 'echo "/tmp/No space left on device.mp4: Invalid data found" >&2; exit 1'],
  ['is told of a wrong option', 'echo "Unrecognized option" >&2; exit 255'],
])('a program that %s fails because of what it was given', async (_name, script) => {
  await expect(run(script)).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'render' })
})

test('an ffmpeg that another program stops fails because of the machine', async () => {
  const { ffmpeg } = await findFfmpeg()
  const endless = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc', '-f', 'rawvideo', 'pipe:1']
  const child = startProcess(ffmpeg, endless, undefined)
  child.stdout.once('data', () => {
    process.kill(child.pid ?? 0, 'SIGTERM')
    child.stdout.resume()
  })
  await expect(child.finished).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'machine' })
})
