import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { everyFfmpeg, scratch } from '../fixtures/sliding-bar.ts'
import { findFfmpeg } from './find.ts'
import { ERRORS_ONLY, QUIET, runProcess, startProcess } from './process.ts'

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
  ['ends by a signal after a library has warned', 'echo "Warning: using insecure memory!" >&2; exit 255'],
  ['does not start', 'echo "libx.so: failed to map segment from shared object" >&2; exit 127'],
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
  [
    'reads a file whose name says more',
    'echo "[error] file:/tmp/a: Permission denied.mp4: Invalid data found" >&2; exit 1',
  ],
  ['reports a wrong option', 'echo "[fatal] Unrecognized option" >&2; exit 255'],
])('a program that %s fails because of what it was given', async (_name, script) => {
  await expect(run(script)).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'render' })
})

test.each([
  ['a library warns', 'echo "Warning: using insecure memory!" >&2', undefined],
  ['a library speaks of an error', 'echo "x265 [error]: ignored" >&2', undefined],
  [
    'ffmpeg reports an error',
    'echo "Warning: x" >&2; echo "[mp3 @ 0x55d0] [error] Header missing" >&2',
    '[mp3] Header missing',
  ],
  ['an object of an object reports one', 'printf "[a @ 0x1] [b @ 0x2] [fatal] torn" >&2', '[a] [b] torn'],
])('where %s, only what ffmpeg itself says is an error', async (_name, script, reported) => {
  const child = startProcess('/bin/sh', ['-c', script], undefined)
  child.stdout.resume()
  await child.finished
  expect(child.reported()).toBe(reported)
  if (reported === undefined) await child.succeeded()
  else await expect(child.succeeded()).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'render' })
})

describe.each(await everyFfmpeg())('"Cannot allocate memory" of ffmpeg $version', ({ ffmpeg, ffprobe }) => {
  let file: string
  beforeEach(async () => {
    file = join(await scratch(), 'a.mp4')
    const picture = ['-f', 'lavfi', '-i', 'color=red:s=160x90:d=0.5', '-c:v', 'libx264', '-pix_fmt', 'yuv420p']
    await runProcess(ffmpeg, [...QUIET, ...picture, file], undefined)
  })
  /** Declares 2^31-1 time stamps. */
  const damage = async () => {
    const bytes = await readFile(file)
    bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('stts') + 8)
    await writeFile(file, bytes)
  }
  const refusal = /Cannot allocate memory/

  test('is the fault of a file that declares more than there may be, of ffmpeg and of ffprobe', async () => {
    await damage()
    for (const launch of [undefined, { words: ['/usr/bin/env'] }]) {
      const options = launch ? { launch } : {}
      const probing = runProcess(ffprobe, [...ERRORS_ONLY, '-show_streams', file], undefined, options)
      await expect(probing).rejects.toMatchObject({ fault: 'render', message: expect.stringMatching(refusal) })
      const decoding = runProcess(ffmpeg, [...QUIET, '-i', file, '-f', 'null', '-'], undefined, options)
      await expect(decoding).rejects.toMatchObject({ fault: 'render', message: expect.stringMatching(refusal) })
    }
  })

  test.runIf(process.platform === 'linux')('is the fault of a machine that grants too little', async () => {
    // The scaled picture alone takes 400 MB.
    const large = ['-f', 'lavfi', '-i', 'color=s=64x64:d=0.1', '-vf', 'scale=10000:10000,format=rgba']
    const args = [...QUIET, ...large, '-frames:v', '1', '-f', 'null', '-']
    const launch = { words: ['/bin/sh', '-c', 'ulimit -v 500000; exec "$@"', 'sh'] }
    await runProcess(ffmpeg, args, undefined)
    await expect(runProcess(ffmpeg, args, undefined, { launch })).rejects.toMatchObject({
      fault: 'machine',
      message: expect.stringMatching(refusal),
    })
    await damage()
    // Who is to blame cannot be known where memory is limited: then it is not the file.
    const probing = runProcess(ffprobe, [...ERRORS_ONLY, '-show_streams', file], undefined, { launch })
    await expect(probing).rejects.toMatchObject({ fault: 'machine', message: expect.stringMatching(refusal) })
  })
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
