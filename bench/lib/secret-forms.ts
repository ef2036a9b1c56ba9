/*
 * Texts with one credential each, between « and ». The values were made up: none is the credential of a service.
 * `#n` stands for n letters and digits, `%n` for n hexadecimal digits.
 */

/** Forms that the rules were written with. */
export const FORMS: readonly string[] = `
password: «hunter2!x»
Password: «Wint3rIsComing»
password = «s3cr3t-pa55»
passwd=«s3cr3t»
pwd: «Qwerty#99»
passphrase: «correct-horse-7-battery»
db_password: «tiger2024»
DB_PASSWORD=«tiger2024»
export PGPASSWORD=«tiger2024»
PGPASSWORD=«tiger2024» psql -h db -U app
PASSWORD=«swordfish»
spring.datasource.password=«tiger2024»
quarkus.datasource.password = «tiger2024»
{"password": "«X9y8z7w6»"}
{"user":"ada","password":"«X9y8z7w6»","remember":true}
{\\"password\\": \\"«X9y8z7w6»\\"}
{"client_secret": "«aB3dE5fG7h»"}
{"apiKey": "«9f8e7d6c5b4a»"}
{"api_key": "«9f8e7d6c5b4a»"}
{'api-key': '«9f8e7d6c5b4a»'}
"accessToken": "«tok9f8e7d6c5b4a»"
refresh_token: «rt9f8e7d6c5b4a»
const password = '«Hunter2Hunter»'
const password = "«swordfish»"
let dbPassword: string = '«tiger2024»'
var apiKey = "«9f8e7d6c5b4a»";
password := "«tiger2024»"
const apiToken string = "«9f8e7d6c5b4a»"
private static final String PASSWORD = "«tiger2024»";
$password = '«tiger2024»';
'password' => '«tiger2024»',
define('DB_PASSWORD', '«tiger2024»');
:password => "«tiger2024»"
password: str = "«tiger2024»"
os.environ["API_TOKEN"] = "«9f8e7d6c5b4a»"
process.env.SECRET_KEY = "«9f8e7d6c5b4a»"
conn = psycopg2.connect(host="db", password="«tiger2024»")
auth=('ada', password='«tiger2024»')
<password>«tiger2024»</password>
<add key="ApiKey" value="x" password="«tiger2024»"/>
| password | «tiger2024» |
**Password:** «tiger2024»
- Password: \`«tiger2024»\`
X-API-Key: «9f8e7d6c5b4a»
x-api-key: «9f8e7d6c5b4a»
X-Auth-Token: «9f8e7d6c5b4a»
Authorization: Bearer «#40»
Authorization: Basic «YWRhOmh1bnRlcjI=»
Authorization: Token «9f8e7d6c5b4a»
Proxy-Authorization: Basic «YWRhOmh1bnRlcjI=»
"Authorization": "Bearer «#24»"
Cookie: session=«#24»
Cookie: theme=dark; sid=«#24»; lang=en
Set-Cookie: sid=«#24»; Path=/; HttpOnly
curl -u ada:«hunter2» https://example.org
curl --user 'ada:«hunter2»' https://example.org
curl -H "X-API-Key: «9f8e7d6c5b4a»" https://example.org
curl -H "Authorization: token «9f8e7d6c5b4a»" https://example.org
wget --user=ada --password=«hunter2» https://example.org
https://ada:«hunter2»@example.org/repo.git
https://«#40»@github.com/ada/repo.git
https://example.org/hook?token=«9f8e7d6c5b4a»
https://example.org/v1?api_key=«9f8e7d6c5b4a»&q=1
https://example.org/v1?access_token=«9f8e7d6c5b4a»
https://x.blob.core.windows.net/c?sv=2024&sig=«#40»%3D
postgres://app:«s3cret»@db/app
mysql://root:«p4ss»@localhost:3306/app
mongodb+srv://app:«s3cret»@cluster0.example.net/app
redis://:«s3cret»@cache:6379/0
amqp://guest:«gu3st»@mq:5672
jdbc:postgresql://db/app?user=ada&password=«tiger2024»
jdbc:mysql://db/app?user=ada&password=«tiger2024»&useSSL=true
jdbc:sqlserver://db;user=sa;password=«Tiger2024!»;encrypt=true
jdbc:oracle:thin:scott/«tiger2024»@db:1521:orcl
Server=db;Database=app;User Id=sa;Password=«Tiger2024!»;
Driver={ODBC Driver 18};Server=db;Uid=sa;Pwd=«Tiger2024!»;
host=db user=app password=«tiger2024» dbname=app
app:«tiger2024»@tcp(db:3306)/app
mysql -u root -p«tiger2024» app
mysqldump -uroot -p'«tiger2024»' app
sshpass -p «tiger2024» ssh ada@host
sshpass -p '«tiger2024»' scp a host:
redis-cli -h cache -a «tiger2024» ping
mongosh -u root -p «tiger2024»
docker login -u ada -p «tiger2024» registry.example.org
docker login --username ada --password «tiger2024»
helm upgrade app . --set db.password=«tiger2024»
kubectl create secret generic db --from-literal=password=«tiger2024»
kubectl create secret generic db --from-literal=pgroot=«tiger2024»
svc login --token «9f8e7d6c5b4a»
gh secret set X --token=«9f8e7d6c5b4a»
mycli --api-key «9f8e7d6c5b4a»
mycli --password=«tiger2024»
mycli --password "«tiger2024»"
ldapsearch -D cn=admin -w «tiger2024» -b dc=x
sqlcmd -S db -U sa -P «Tiger2024!»
openssl rsa -in key.pem -passin pass:«tiger2024»
smbclient //host/share -U ada%«tiger2024»
htpasswd -nb ada «tiger2024»
rabbitmqctl add_user ada «tiger2024»
CREATE USER ada IDENTIFIED BY '«tiger2024»';
ALTER USER ada WITH PASSWORD '«tiger2024»';
CREATE ROLE ada LOGIN PASSWORD '«tiger2024»';
SET PASSWORD FOR 'ada'@'%' = PASSWORD('«tiger2024»');
requirepass «tiger2024»
machine example.org login ada password «tiger2024»
db.example.org:5432:app:ada:«tiger2024»
//registry.example.org/:_authToken=«#20»
{"auths": {"r.example.org": {"auth": "«YWRhOmh1bnRlcjI=»"}}}
apiVersion: v1\\nkind: Secret\\nmetadata:\\n  name: db\\ndata:\\n  pgroot: «dGlnZXIyMDI0»
apiVersion: v1\\nkind: Secret\\nstringData:\\n  password: «tiger2024»
password: >\\n  «tiger2024»
The password:\\n«tiger2024»
My password is «hunter2»
my password is "«swordfish»"
The password for the staging server is «hunter2!».
password for the wifi: «Sunny#Day12»
The admin password was changed to «Hunter2024»
Use the password «hunter2!» for it
log in with password '«hunter2»'
my api key is «9f8e7d6c5b4a»
the token is «9f8e7d6c5b4a»
My PIN is «4821»
PIN: «4821»
Das Passwort lautet «hunter2»
Mein Passwort ist «hunter2»
Das Kennwort für den Server ist „«Geheim99»“
Passwort: «hunter2»
mot de passe : «hunter2»
Le mot de passe est « «hunter2» »
Mon mot de passe du wifi est «hunter2!»
la contraseña es «hunter2»
Contraseña: «hunter2»
mi contraseña es "«hunter2»"
a senha é «hunter2»
Senha: «hunter2»
la password è «hunter2»
Il mio token è «9f8e7d6c5b4a»
het wachtwoord is «hunter2»
lösenordet är «hunter2»
hasło to «hunter2»
пароль: «hunter2»
Мой пароль — «hunter2»
パスワードは «hunter2»
パスワードは「«hunter2»」です
パスワード：«hunter2»
密码是«hunter2»
密码：«hunter2»
비밀번호는 «hunter2»
şifre: «hunter2»
पासवर्ड है «hunter2»
seed phrase: «legal winner thank year wave sausage worth useful legal winner thank yellow»
AKIA«ABCD2345ABCD2345»
aws_secret_access_key = «#40»
AccountName=a;AccountKey=«#86»==;
ghp_«#36»
glpat-«#20»
xoxb-123456789012-123456789012-«#24»
https://hooks.slack.com/services/T01234567/B01234567/«#24»
npm_«#36»
pypi-AgEIcHlwaS5vcmc«#60»
sk_live_«#24»
SG.«#22».«#43»
123456789:«#35»
sk-proj-«#48»
sk-ant-api03-«#93»AA
hf_«#34»
ntn_«#46»
secret_«#43»
sbp_«%40»
sb_secret_«#31»
MTA1«#21».GabcD1.«#38»
ATATT3xFfGF0«#170»
live_«#30»
test_«#30»
shpat_«%32»
lin_api_«#40»
dop_v1_«%64»
key-«%32»
SK«%32»
sntrys_«#60»
DD_API_KEY=«%32»
HEROKU_API_KEY=«01234567-89ab-cdef-0123-456789abcdef»
X-Postmark-Server-Token: «01234567-89ab-cdef-0123-456789abcdef»
CLOUDFLARE_API_TOKEN=«#40»
VERCEL_TOKEN=«#24»
glsa_«#32»_«%8»
eyJhbGciOiJIUzI1NiJ9.«eyJzdWIiOiIxIn0».«#43»
AIza«#35»
GOCSPX-«#28»
otpauth://totp/svc:ada?secret=«JBSWY3DPEHPK3PXP»&issuer=svc
`
  .trim()
  .split('\n')

/** Forms that were held back: they were written after the rules, and the rules were not fitted to them. */
export const HELD_BACK: readonly string[] = `
root_password: "«Adm1n-Root»"
MYSQL_ROOT_PASSWORD: «Adm1nRoot»
      - POSTGRES_PASSWORD=«Adm1nRoot»
ENV SECRET_KEY_BASE=«%64»
SECRET_KEY = 'django-insecure-«#50»'
APP_KEY=base64:«#43»=
JWT_SECRET=«my-super-secret-jwt-9»
password = "«Adm1nRoot»"   # for the replica
[default]\\npassword=«Adm1nRoot»
smtp_pass: «Adm1nRoot»
SMTP_PASS='«Adm1nRoot»'
"pass": "«Adm1nRoot»"
ansible_become_pass=«Adm1nRoot»
ansible_ssh_pass: «Adm1nRoot»
ftp://ada:«Adm1nRoot»@files.example.org/
smtp://ada%40example.org:«Adm1nRoot»@mail:587
kafka.sasl.jaas.config=org.apache.PlainLoginModule required username="ada" password="«Adm1nRoot»";
<property name="hibernate.connection.password">«Adm1nRoot»</property>
<connectionString>Data Source=db;User=sa;PWD=«Adm1nRoot»</connectionString>
net user ada «Adm1nRoot» /add
echo 'ada:«Adm1nRoot»' | chpasswd
echo "«Adm1nRoot»" | docker login -u ada --password-stdin
psql "postgresql://ada:«Adm1nRoot»@db:5432/app"
PGPASSWORD='«Adm1nRoot»' pg_dump app
MYSQL_PWD=«Adm1nRoot» mysql -u root
az login --service-principal -u x -p «Adm1nRoot» --tenant y
vault login «hvs.CAESIJ#20»
argocd login cd.example.org --username admin --password «Adm1nRoot»
nmcli dev wifi connect Home password «Adm1nRoot»
mosquitto_pub -u ada -P «Adm1nRoot» -t x
unzip -P «Adm1nRoot» a.zip
7z x -p«Adm1nRoot» a.7z
git clone https://oauth2:«glpat-#20»@gitlab.com/a/b.git
git remote set-url origin https://x-access-token:«#30»@github.com/a/b
headers = {"X-Api-Key": "«9a8b7c6d5e4f»"}
headers: { Authorization: \`Bearer «#24»\` }
req.Header.Set("Authorization", "Bearer «#24»")
http.DefaultRequestHeaders.Add("Api-Key", "«9a8b7c6d5e4f»")
Private-Token: «9a8b7c6d5e4f9a8b»
Ocp-Apim-Subscription-Key: «%32»
new OpenAI({ apiKey: "«9a8b7c6d5e4f»" })
client = Client(token="«9a8b7c6d5e4f»")
createClient(url, { password: '«Adm1nRoot»' })
setPassword("«Adm1nRoot»")
user.password = "«Adm1nRoot»"
$config['db']['password'] = '«Adm1nRoot»';
config :app, password: "«Adm1nRoot»"
let password: &str = "«Adm1nRoot»";
val password = "«Adm1nRoot»"
String dbPass = "«Adm1nRoot»";
-Djavax.net.ssl.keyStorePassword=«Adm1nRoot»
storePassword=«Adm1nRoot»
keyPassword '«Adm1nRoot»'
client-secret: «9a8b7c6d5e4f»
clientSecret=«9a8b7c6d5e4f»
consumer_secret = «9a8b7c6d5e4f»
webhook_secret: «9a8b7c6d5e4f»
encryption_key: «%32»
"private_key_id": "x", "private_token": "«9a8b7c6d5e4f»"
storageAccountKey: «#40»
ALTER LOGIN sa WITH PASSWORD = '«Adm1n-Root»'
GRANT ALL ON *.* TO 'ada'@'%' IDENTIFIED BY "«Adm1n-Root»";
username: ada, password: «Adm1nRoot»
user ada / password «Adm1nRoot»
login: ada password: «Adm1nRoot»
Password for ada is: «Adm1nRoot»
pw: «Adm1nRoot»
the db password is now «Adm1nRoot», please rotate it
I set the root password to «Adm1nRoot» yesterday
Our wifi password is "«sunny garden»"
please remember that my bank PIN is «7391»
Das WLAN-Passwort ist «Adm1nRoot».
Das neue Passwort: «Adm1nRoot»
Das Passwort wurde auf «Adm1nRoot» geändert
Mein API-Schlüssel lautet «9a8b7c6d5e4f»
le mot de passe de la base est «Adm1nRoot»
MDP : «Adm1nRoot»
La contraseña del servidor es «Adm1nRoot»
La clave de API es «9a8b7c6d5e4f»
minha senha é «Adm1nRoot»
la mia password è «Adm1nRoot»
Mijn wachtwoord is «Adm1nRoot»
Пароль от сервера: «Adm1nRoot»
データベースのパスワードは「«Adm1nRoot»」です。
数据库密码是 «Adm1nRoot»
비밀번호: «Adm1nRoot»
sq0atp-«#22»
EAAC«#80»
NRAK-«ABCDE12345ABCDE12345ABCDE12»
pscale_tkn_«#43»
dp.pt.«#43»
PMAK-«%24»-«%34»
dckr_pat_«#27»
rubygems_«%48»
re_«a1B2c3D4_#24»
r8_«#37»
xkeysib-«%64»-«#16»
tskey-auth-«#12»-«#24»
pat-na1-«01234567-89ab-cdef-0123-456789abcdef»
ATCTT3xFfGN0«#100»
https://discord.com/api/webhooks/123456789012345678/«#68»
https://«%32»@o123.ingest.sentry.io/456
PrivateKey = «#43»=
`
  .trim()
  .split('\n')

const expand = (text: string): string =>
  text
    .replaceAll('\\n', '\n')
    .replace(/#(\d+)/g, (_, n) => 'a1B2c3D4e5F6g7H8'.repeat(20).slice(0, Number(n)))
    .replace(/%(\d+)/g, (all, n) =>
      Number(n) < 8 ? all : '0a1b2c3d4e5f6978'.repeat(10).slice(0, Number(n)),
    )

export interface SecretForm {
  text: string
  secret: string
}

export const readForm = (form: string): SecretForm => {
  const [, inner = ''] = /«([^«»]+)»(?!.*«)/s.exec(form) ?? []
  return { text: expand(form.replace(/«(?=\S)|(?<=\S)»/g, '')), secret: expand(inner) }
}
