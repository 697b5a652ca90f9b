import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineMemory } from '@vid/system'
import { fail } from '../errors.ts'

const MIB = 2 ** 20

/** What an environment of the function has. */
export interface FunctionEnvironment {
  readonly bucket: string
  /** Absolute folder of the package, where the config stands; nothing is written there. */
  readonly codeDir: string
  /** Absolute folder for everything that is written. */
  readonly tempDir: string
  readonly memoryBytes: number
  readonly env: NodeJS.ProcessEnv
}

/** Memory of the function: what Lambda says, or less where a control group says so. */
const memoryOf = ({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: megabytes }: NodeJS.ProcessEnv): number => {
  const bytes = Number(megabytes) * MIB
  return bytes > 0 ? Math.min(bytes, machineMemory()) : machineMemory()
}

/**
 * Reads what Lambda says about the function. Only the folder for temporary files can be written there: it becomes home
 * and cache of this process and of the programs that it starts.
 */
export const openEnvironment = (codeDir: string, env: NodeJS.ProcessEnv = process.env): FunctionEnvironment => {
  const { VID_BUCKET: bucket } = env
  if (!bucket) throw fail('VID_LAMBDA_ENVIRONMENT', { problem: 'VID_BUCKET is not set' })
  const tempDir = tmpdir()
  env.HOME = tempDir
  env.VID_CACHE_DIR = join(tempDir, 'vid-cache')
  env.XDG_CACHE_HOME = join(tempDir, 'vid-cache', 'xdg')
  env.XDG_CONFIG_HOME = join(tempDir, 'vid-cache', 'config')
  // Lambda has no namespaces to make a sandbox of; its machine belongs to this function alone.
  env.VID_SANDBOX ??= 'off'
  return { bucket, codeDir, tempDir, memoryBytes: memoryOf(env), env }
}
