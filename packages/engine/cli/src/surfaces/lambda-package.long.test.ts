import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, vid } from '../fixtures/project.ts'

test('the function is written as a folder for its image without AWS, and an earlier one stays without --force', async () => {
  const folder = await makeFolder({})
  const write = (...args: string[]) => vid(folder, 'lambda', 'package', ...args)
  const { code, stdout, stderr } = await write('--image-context', 'image', '--json')
  expect([code, stderr]).toEqual([0, ''])
  expect(eventsOf(stdout)).toEqual([expect.objectContaining({ type: 'lambda-package', path: join(folder, 'image') })])
  expect((await readdir(join(folder, 'image'))).sort()).toEqual(['Dockerfile', 'README.md', 'function'])
  expect(existsSync(join(folder, 'image/function/index.mjs'))).toBe(true)
  const again = await write('--image-context', 'image')
  expect([again.code, again.stdout]).toEqual([2, ''])
  expect(again.stderr).toContain('VID_LAMBDA_PACKAGE_EXISTS')
  const neither = await write()
  expect(neither.stderr).toContain('give --out or --image-context')
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})
