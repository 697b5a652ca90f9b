import { COMMANDS } from '../state/commands.ts'
import { connection, unwatched } from '../state/connection.ts'
import { notice } from '../state/notices.ts'
import { edit } from '../state/staged.ts'

const CONNECTION = {
  open: '',
  lost: 'The preview has ended, or cannot be reached. What is shown may be out of date: when it is started again, open its new address.',
  missing: 'The folder of the project is gone. The preview goes on when it is back.',
} as const

/** What was just done, and whether the server answers. */
export const Notices = () => {
  const connectionText = CONNECTION[connection.value]
  const { text = '', isError = false, version } = notice.value ?? {}
  const isLast = version !== undefined && version === edit.value?.version
  return (
    <section class="notices" aria-label="Notices">
      <div role="alert">
        {connectionText && <p class="notice error">{connectionText}</p>}
        {unwatched.value && (
          <p class="notice error">Not every file can be watched, reload the page after a change: {unwatched.value}</p>
        )}
      </div>
      <div role="status">
        {text && (
          <p class={isError ? 'notice error' : 'notice'}>
            {text}
            {isLast && (
              <button type="button" class="button small" aria-label="Undo what was just done" onClick={COMMANDS.undo}>
                Undo
              </button>
            )}
          </p>
        )}
      </div>
    </section>
  )
}
