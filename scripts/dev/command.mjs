// The vid command from its sources: the program that `npm run dev` starts with the `development` condition.
import { register } from 'node:module'

// Newer ones remove types by themselves.
if (!process.features.typescript) register('./typescript-hooks.mjs', import.meta.url)
// A vid.config.ts is loaded by Node as well: with its own loader it would have second copies of the packages.
process.env.JITI_TRY_NATIVE = '1'

const { start } = await import('../../packages/engine/cli/src/main.ts')
start()
