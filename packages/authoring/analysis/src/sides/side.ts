/** A composition or a video that is compared with another. */
export type Side =
  | {
      readonly kind: 'composition'
      readonly label: string
      readonly projectDir: string
      /** Folder of the project that `projectDir` is a copy of, with the same packages; itself if left out. */
      readonly copyOf?: string
    }
  | { readonly kind: 'video'; readonly label: string; readonly file: string }
