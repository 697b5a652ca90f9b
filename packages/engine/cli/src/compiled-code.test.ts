import { execFile } from 'node:child_process'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepCompiledCode } from './compiled-code.ts'
import { makeFolder } from './fixtures/project.ts'

const keepIn = async (VID_CACHE_DIR: string) => {
  const enabled: string[] = []
  await keepCompiledCode({ VID_CACHE_DIR }, (folder) => enabled.push(folder))
  return enabled
}

test('compiled code is kept in a folder of the cache that only this user can read and write', async () => {
  const folder = join(await makeFolder({}), 'cache')
  expect(await keepIn(folder)).toEqual([join(folder, 'compiled-code')])
  expect((await stat(join(folder, 'compiled-code'))).mode & 0o777).toBe(0o700)
})

test('no compiled code is taken from a folder that others can write to', async () => {
  const folder = await makeFolder({})
  await mkdir(join(folder, 'compiled-code'))
  await chmod(join(folder, 'compiled-code'), 0o777)
  expect(await keepIn(folder)).toEqual([])
})

test('without a folder that can be made, nothing is kept and nothing fails', async () => {
  const folder = await makeFolder({})
  await writeFile(join(folder, 'file'), '')
  expect(await keepIn(join(folder, 'file'))).toEqual([])
})

test('the command finds its compiled code again', async () => {
  const cwd = await makeFolder({})
  const cache = join(await makeFolder({}), 'cache')
  // This version of Node may have no such cache: what the command asks of it is written down in its place.
  const noted = join(cwd, 'noted.cjs')
  await writeFile(noted, `require('node:module').enableCompileCache = (folder) => console.error('kept in ' + folder)`)
  const bin = join(import.meta.dirname, '../bin/vid.js')
  const said = await new Promise<string>((resolve) => {
    const env = { PATH: process.env.PATH, VID_CACHE_DIR: cache }
    execFile(
      process.execPath,
      ['--require', noted, bin, 'completion', 'bash'],
      { cwd, env },
      (_error, _stdout, stderr) => resolve(stderr),
    )
  })
  expect(said).toBe(`kept in ${join(cache, 'compiled-code')}\n`)
})
