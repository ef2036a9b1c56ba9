import { getProfile, type Profile, updateProfile } from '../../../shared/contract/profile.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { settings } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'
import { Picture } from './picture.tsx'

const texts = settings.profile
const { maxLength } = updateProfile.body.properties.display_name

export const ProfilePage = () => {
  const profile = useApi(getProfile, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={profile}>
        {(data) => (
          <>
            <Picture url={data.avatar_url} />
            <NameForm profile={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const NameForm = ({ profile }: { profile: Profile }) => {
  const save = useAction(updateProfile, {
    onSuccess: () => notify(texts.saved),
  })
  return (
    <Form
      onSubmit={(data) => save.mutate({ body: { display_name: String(data.get('display_name')) } })}
      error={save.error}
      fields={['display_name']}
    >
      <TextField
        name="display_name"
        label={texts.displayName}
        defaultValue={profile.display_name}
        isRequired
        maxLength={Number(maxLength)}
        autoComplete="name"
      />
      <TextField
        label={texts.username}
        note={texts.usernameNote}
        value={profile.username}
        isReadOnly
      />
      <div className="form-actions">
        <Button type="submit" look="primary" isPending={save.isPending}>
          {common.save}
        </Button>
      </div>
    </Form>
  )
}
