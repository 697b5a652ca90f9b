import { chmod, cp, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/vid.ts'
import { composition } from './composition.ts'
import { keysBelow, lambda } from './stack.ts'

test('the id of a site is made of names, modes and bytes alone, without hidden files', async () => {
  const siteId = async (dir: string) => {
    const { code, stdout, stderr } = await lambda(['sites', 'create', dir])
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }
  const first = await composition()
  await writeFile(join(first, 'note.txt'), 'a')
  const copy = async () => {
    const copy = join(await scratch(), 'copy')
    await cp(first, copy, { recursive: true })
    return copy
  }
  const id = await siteId(first)
  expect(id).toMatch(/^[0-9a-f]{64}$/)
  const equal = await copy()
  await writeFile(join(equal, '.env'), 'SECRET=hush')
  expect(await siteId(equal)).toBe(id)
  const mode = await copy()
  const name = await copy()
  const byte = await copy()
  await chmod(join(mode, 'note.txt'), 0o755)
  await rename(join(name, 'note.txt'), join(name, 'notes.txt'))
  await writeFile(join(byte, 'note.txt'), 'b')
  const all = [id, await siteId(mode), await siteId(name), await siteId(byte)]
  expect(new Set(all).size).toBe(4)
  const sites = (await keysBelow('sites/')).filter((key) => key.endsWith('/site.json'))
  expect(sites).toEqual(expect.arrayContaining(all.map((site) => `sites/${site}/site.json`)))
})
