import { test } from 'vitest'
import { expectTools, makeProject, overHttp } from '../support/assistant-tools.ts'

test('every tool answers over HTTP, and refuses wrong and hostile arguments with a code', async () => {
  const { client } = await overHttp(await makeProject())
  await expectTools(client)
})
