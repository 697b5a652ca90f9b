import { expect, test } from 'vitest'
import { captureWarnings } from './capture-warnings.ts'

test.each([
  ['404 (Not Found)', 'a.png: the file does not exist.'],
  ['403 (Forbidden)', 'a.png: it is hidden, or a link that leaves the project, which is not followed.'],
])('a file that is answered with %s is named by its reason', (status, message) => {
  const detail = `Failed to load resource: the server responded with a status of ${status}`
  expect(captureWarnings.VID_ASSET_FAILED({ url: 'a.png', detail }).message).toBe(message)
})
