import { test } from 'vitest'
import { expectAlike } from '../../fixtures/pictures.ts'
import { spaces } from '../../fixtures/spaces.ts'

test.each(spaces)('%s is drawn as in a screenshot, in every frame', async (_name, page) => {
  await expectAlike(page, 30)
})
