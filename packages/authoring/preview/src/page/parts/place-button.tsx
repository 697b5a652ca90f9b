import { project, sendToEditor } from '../state/project.ts'

/** A place in a file of the project; pressing it opens the editor. */
export const PlaceButton = ({ file, line }: { readonly file: string; readonly line: number }) => {
  const editor = project.value?.editor
  const text = `${file}:${line}`
  if (!editor) return <code class="place">{text}</code>
  return (
    <button
      type="button"
      class="place"
      title={`Open in ${editor}`}
      aria-label={`Open ${text} in ${editor}`}
      onClick={() => sendToEditor(file, line)}
    >
      {text}
    </button>
  )
}
