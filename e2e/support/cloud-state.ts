import { join } from 'node:path'
import { prepareDatabase } from '../../packages/services/cloud/src/fixtures/database-template.ts'

/** Makes the folder `state` of a server of the hosted API with an empty database: creating one takes the server seconds. */
export const prepareState = (cwd: string): Promise<void> =>
  prepareDatabase(join(cwd, 'state', 'database'), { hasQueue: true })
