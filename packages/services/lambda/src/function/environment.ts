import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineMemory } from '@vid/system'
import { fail } from '../errors.ts'

const MIB = 2 ** 20

/** Folders and limits of a function's environment. */
export interface FunctionEnvironment {
  readonly bucket: string
  /** Absolute path of the package, which contains the config; read-only. */
  readonly codeDir: string
  /** Absolute path of the folder for all written files. */
  readonly tempDir: string
  readonly memoryBytes: number
  readonly env: NodeJS.ProcessEnv
}

/** Memory of the function: as Lambda reports it, or a lower limit of the control group. */
const memoryOf = ({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: megabytes }: NodeJS.ProcessEnv): number => {
  const bytes = Number(megabytes) * MIB
  return bytes > 0 ? Math.min(bytes, machineMemory()) : machineMemory()
}

/**
 * Reads the environment that Lambda provides. Only the folder for temporary files is writable, so it becomes the home
 * and cache folder of this process and its child processes.
 */
export const openEnvironment = (codeDir: string, env: NodeJS.ProcessEnv = process.env): FunctionEnvironment => {
  const { VID_BUCKET: bucket } = env
  if (!bucket) throw fail('VID_LAMBDA_ENVIRONMENT', { problem: 'VID_BUCKET is not set' })
  const tempDir = tmpdir()
  env.HOME = tempDir
  env.VID_CACHE_DIR = join(tempDir, 'vid-cache')
  env.XDG_CACHE_HOME = join(tempDir, 'vid-cache', 'xdg')
  env.XDG_CONFIG_HOME = join(tempDir, 'vid-cache', 'config')
  // Lambda has no user namespaces for a sandbox; the machine is used by this function only.
  env.VID_SANDBOX ??= 'off'
  return { bucket, codeDir, tempDir, memoryBytes: memoryOf(env), env }
}
