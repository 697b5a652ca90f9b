import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import type { Admin } from '../../admin/open-admin.ts'
import { adminOptions } from './options.ts'

/**
 * Runs work on the server that the environment or the options name: through the running server if there is one,
 * otherwise on its database.
 */
export const withAdmin = async <T>(
  { cwd, env, signal, written }: Pick<CommandRun, 'cwd' | 'env' | 'signal' | 'written'>,
  work: (admin: Admin) => Promise<T>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<T> => {
  const { state = adminOptions.state.default, storage } = written
  const { openAdmin } = await import('../../admin/open-admin.ts')
  const place = {
    databaseUrl: env.DATABASE_URL,
    cwd,
    state: resolve(cwd, String(state)),
    mayCreate,
    storage: typeof storage === 'string' ? storage : undefined,
  }
  const admin = await openAdmin(place, { signal })
  try {
    return await work(admin)
  } finally {
    await admin.close()
  }
}
