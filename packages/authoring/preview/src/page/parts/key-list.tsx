import { useLayoutEffect, useRef } from 'preact/hooks'
import { KEY_LINES, keyName } from '../model/keys.ts'
import { showsKeys } from '../state/view.ts'

/** The list of keys. */
export const KeyList = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isShown = showsKeys.value
  // Before the next key is handled: Escape has to close it.
  useLayoutEffect(() => {
    if (isShown) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isShown])
  const close = () => {
    showsKeys.value = false
  }
  return (
    <dialog ref={dialog} class="key-list" aria-labelledby="key-list-title" onClose={close}>
      <header>
        <h2 id="key-list-title">Keys</h2>
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </header>
      <dl>
        {KEY_LINES.map(({ command, keys, does }) => (
          <div key={command}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{keyName(key)}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
