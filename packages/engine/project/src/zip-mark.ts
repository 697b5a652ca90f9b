/** The comment of zips that this package makes: their paths are those of the project, so no folder is left out of them. */
export const ZIP_MARK = 'vid-project'
