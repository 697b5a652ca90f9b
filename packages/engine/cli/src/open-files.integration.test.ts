import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isFileShortage } from '@vid/render/open-files'
import { expect, test } from 'vitest'
import { makeFolder } from './fixtures/project.ts'

const bin = fileURLToPath(new URL('../bin/vid.js', import.meta.url))

test.runIf(process.platform === 'linux').each([20, 22, 24, 28, 30, 40, 48])(
  'at most %i open files are named as too few, with the way out',
  async (limit) => {
    const cwd = await makeFolder({})
    const command = `ulimit -n ${limit}; exec "${process.execPath}" "${bin}" render intro`
    const stderr = await new Promise<string>((resolve) =>
      execFile('sh', ['-c', command], { cwd }, (_error, _stdout, text) => resolve(text)),
    )
    expect(stderr).toContain('error VID_OPEN_FILES: ')
    expect(stderr).toContain('ulimit -n')
    expect(stderr).not.toContain('VID_UNEXPECTED')
  },
)

test.runIf(process.platform === 'linux')('a full disk behind stdout is an error', async () => {
  const run = (...words: string[]) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) =>
      execFile(
        'sh',
        ['-c', `exec "${process.execPath}" "${bin}" ${words.join(' ')} > /dev/full`],
        (error, _stdout, stderr) => resolve({ code: error?.code ?? 0, stderr }),
      ),
    )
  for (const words of [['--version'], ['--help'], ['lint', '--help']])
    expect(await run(...words), words.join(' ')).toEqual({
      code: 1,
      stderr: expect.stringContaining('error VID_STDOUT_UNWRITABLE: '),
    })
})

test('a missing package is not reported as a lack of files when there are enough', () => {
  const missing = Object.assign(new Error("Cannot find package 'x'"), { code: 'ERR_MODULE_NOT_FOUND' })
  const wrapped = new Error('not loaded', { cause: missing })
  expect([1024, 64, undefined].map((limit) => isFileShortage(wrapped, limit))).toEqual([false, true, false])
  expect(isFileShortage(Object.assign(new Error('x'), { code: 'EMFILE' }), 1024)).toBe(true)
})

test('a browser that ends where it never has enough open files ended for lack of them', () => {
  const crashed = Object.assign(new Error('the browser ended'), { code: 'VID_BROWSER_CRASHED' })
  expect([1024, 200, 64, undefined].map((limit) => isFileShortage(crashed, limit))).toEqual([false, false, true, false])
})
