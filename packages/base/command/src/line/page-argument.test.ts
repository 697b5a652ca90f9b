import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AnyCommand } from '../define/command.ts'
import { splitPage } from './page-argument.ts'

const render = { options: { composition: {}, json: {} } } as unknown as AnyCommand
const clean = { options: { json: {} } } as unknown as AnyCommand

const split = async (command: AnyCommand, dir: string | undefined, composition?: string) => {
  const cwd = await mkdtemp(join(tmpdir(), 'page-argument-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await mkdir(join(cwd, 'card/folder.html'), { recursive: true })
  await writeFile(join(cwd, 'card/intro.html'), '')
  const line = await splitPage(command, { arguments: { dir }, options: { composition, json: true } }, cwd)
  return [line.arguments.dir, line.options.composition]
}

test('a page stands for its folder and the composition in it', async () => {
  expect(await split(render, 'card/intro.html')).toEqual(['card', 'intro.html'])
})

test.each([
  ['a folder', render, 'card', undefined],
  ['a folder whose name ends like that of a page', render, 'card/folder.html', undefined],
  ['a page that is not there', render, 'card/other.html', undefined],
  ['a page beside another that is named', render, 'card/intro.html', 'other.html'],
  ['a page for a command of whole folders', clean, 'card/intro.html', undefined],
  ['nothing', render, undefined, undefined],
])('%s is left as it is written', async (_name, command, dir, composition) => {
  expect(await split(command, dir, composition)).toEqual([dir, composition])
})
