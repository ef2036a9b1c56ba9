/* Lines without credentials: those that look like one, and a sample of the files of the repository. */

/** Words about credentials, placeholders, references, and values that look random. */
export const LOOKALIKES: readonly string[] = `
password: \${PW}
password: <your-password>
password: "{{ .Values.password }}"
password: process.env.DB_PASSWORD
PASSWORD=$PASSWORD
DB_PASSWORD=$(cat /run/secrets/db)
POSTGRES_PASSWORD_FILE=/run/secrets/db
password: string
password: string;
password?: string | undefined
password: required
password: true
"password": null
password: ********
password: xxxxxxxx
token: str = None
apiKey: config.apiKey,
api_key=os.environ["API_KEY"]
const token = await getToken(user.id)
const password = req.body.password
if (password !== confirmPassword) throw new Error('Passwords do not match')
<label for="password">Password</label>
<input type="password" name="password" autocomplete="current-password">
The password is stored in the vault.
The password is required.
The password was changed by the user yesterday.
Use the password reset link that we mailed to you.
A password must have at least 8 characters.
Please reset your password within 24 hours.
My password is too long for this field.
I forgot my password again and had to call them.
Your token has expired, sign in again.
max_tokens: 4096
"total_tokens": 15230,
tokens used: 1234 of 8000
next_page_token: 2
token count: 57
Tests: 12 pass, 0 fail
pass: 5/5
(pass) revoking a key ends its session [12.40ms]
secret santa is on December 12
The secret is to use cold butter.
The key to success is patience.
primary_key: id
public_key: ssh-ed25519
cache_key: user:42
Das Passwort ist falsch.
Das Passwort muss mindestens 8 Zeichen haben.
Bitte setze dein Passwort zurück.
Le mot de passe est obligatoire.
Mot de passe oublié ?
La contraseña es obligatoria.
La contraseña debe tener al menos 8 caracteres.
パスワードは必須です。
パスワードは8文字以上にしてください。
密码是必填项。
commit 8440b79c21c9acb94e22c1a0728d5f9edb77ce17
index 83db48f..bf2a1c3 100644
id: 550e8400-e29b-41d4-a716-446655440000
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
integrity sha512-Wb3ufzTqNNCZVhGNqxdh9aFGVqxdh9aFGVqxdh9aFGVqxdh9aFGVA==
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
request_id=01J9Z3K4M5N6P7Q8R9S0T1V2W3 status=200 duration=12ms
2026-11-28T20:44:13.123Z INFO [http] GET /api/memories 200 14ms req-7f3a9b2c
docker run -u 1000:1000 -p 8080:80 nginx
ssh -p 2222 ada@example.org
mkdir -p build/output
git push -u origin main
curl -u "$USER:$PASS" https://example.org
postgres://user:password@localhost:5432/app
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Cookie: policy of this site
Set the Cookie header for each request.
{"error":"invalid_token","error_description":"The token has expired"}
GRANT SELECT ON users TO reader;
password_hash text not null,
Set SVC_AUTH_SECRET before the first start.
The PIN is printed on the back of the card.
We meet at pin 4 of the map.
Her login is ada and she works in Lisbon.
My bank account password manager is Bitwarden.
The token bucket is refilled every 10 seconds.
My password is wrong.
my password was rejected again
My password is correct according to them.
Our password is the same everywhere.
My password is stored in Bitwarden
Mein Passwort ist falsch.
Mein Passwort ist abgelaufen
mein passwort war schon wieder falsch
Mon mot de passe est trop court
Mi contraseña es demasiado larga.
La clave es tener paciencia.
La clave del éxito es trabajar duro.
my password is what they guessed
My password was changed yesterday by the admin.
My password is getting old
their password: forgotten
Das Passwort lautet immer gleich.
our passwords are unique and long
My clave: see below
clave primaria: id
user login name and pass the test
Access: read / write
Account: ada / admin
credentials: user / password
My password is expiring soon
my password is case sensitive
My password is my dog's name
My old password was leaked.
my password is known to them
Sa mère est ici; ton clé est verte
su clave es importante
`
  .trim()
  .split('\n')

const FOLDERS = ['docs', 'server', 'cli', 'mcp', 'console', 'shared', 'scripts', 'migrations']
const FILES = ['bun.lock', 'CHANGELOG.md', 'README.md', 'tests/timings.json']
const MAX_LENGTH = 2_000
/** These two have examples of secrets that are meant to be found. */
const EXAMPLES = /whsec_Mf|shared\/secrets\//

/** @returns as many lines of the repository, the same for the same files: the ones at equal distances. */
export const sampleLines = async (root: string, count: number): Promise<string[]> => {
  const lines: string[] = []
  const paths = [...FILES]
  for (const folder of FOLDERS)
    for await (const path of new Bun.Glob(`${folder}/**/*.{md,ts,tsx,sql,css}`).scan(root))
      paths.push(path)
  for (const path of paths.filter((each) => !EXAMPLES.test(each)).sort()) {
    const text = await Bun.file(`${root}/${path}`).text()
    lines.push(
      ...text
        .split('\n')
        .filter((line) => /\S/.test(line) && line.length <= MAX_LENGTH && !EXAMPLES.test(line)),
    )
  }
  const step = lines.length / count
  return Array.from({ length: count }, (_, i) => lines[Math.floor(i * step)] ?? '')
}
