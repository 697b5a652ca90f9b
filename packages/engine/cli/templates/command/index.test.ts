import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandSuite, runInFolder, scratchFolder } from '@vid/testkit'
import { expect, test } from 'vitest'
import command from './index.ts'

commandSuite(command())

test('clips are listed by their starts', async () => {
  const folder = await scratchFolder()
  await mkdir(join(folder, 'film'))
  await writeFile(join(folder, 'film/index.html'), '<p data-start="3"></p><p data-start="0.5"></p>')
  expect(await runInFolder(command(), folder, 'film')).toEqual({ code: 0, stdout: '0.5 s\n3 s\n', stderr: '2 clips\n' })
  const { stdout } = await runInFolder(command(), folder, 'film', '--from=1', '--json')
  expect(JSON.parse(stdout)).toEqual({ type: 'template', starts: [3] })
})
