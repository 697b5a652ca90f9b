// Runs once before the tests: what sources read from a build is made, so that they can be tested without one.
import { buildStaleParts } from '../bundle/parts.mjs'

export const setup = async () => {
  await buildStaleParts()
}
