/** Calls a callback of the app, whose failure does not end the work around it. */
export const quietly = async (callback: () => unknown): Promise<void> => {
  try {
    await callback()
  } catch (error) {
    console.error(error)
  }
}
